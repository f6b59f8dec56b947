"""scripts/stgym_speed.py on a program that is made up: no LibTorch, nothing measured."""

import pathlib
import unittest

from made_up_programs import SpeedTest

PROGRAM = """#!/bin/sh
echo "$(($1 * 16)) nodes, 2000 features, 2 threads"
echo "two products with x  0.$1 s"
echo "published end        0.$1 s, 2.0 times the products"
echo "fused_pooling        0.0$1 s, 1.0 times the products"
"""
PAGE = """above
<!-- speed: written by scripts/stgym_speed.py -->
Not yet.
<!-- end of speed -->
below
"""


class Speed(SpeedTest):
    SCRIPT, PROGRAM = "stgym_speed.py", PROGRAM

    def setUp(self):
        super().setUp()
        self.page = self.folder / "page.md"
        self.page.write_text(PAGE)
        self.ARGUMENTS = ["--page", self.page]

    def test_a_line_for_each_form_with_its_ratio_and_growth(self):
        said = self.call("--nodes", "200", "400")
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertIn("| form | 3,200 nodes | 6,400 nodes |", said.stdout)
        self.assertIn("| published end | 0.2000 s | 0.4000 s | 1.0 | 1.0 | 2.00 |", said.stdout)
        self.assertIn("| fused_pooling | 0.0200 s | 0.0400 s | 10.0 | 10.0 | 2.00 |", said.stdout)
        self.assertEqual(self.page.read_text(), PAGE)

    def test_the_table_takes_its_place_in_the_page_twice_over(self):
        for _ in range(2):
            self.assertEqual(self.call("--nodes", "200", "--write").returncode, 0)
        text = self.page.read_text()
        self.assertNotIn("Not yet.", text)
        self.assertEqual(text.count("| fused_pooling |"), 1)
        self.assertTrue(text.startswith("above\n") and text.endswith("<!-- end of speed -->\nbelow\n"))
        self.assertIn("Measured at commit ", text)

    def test_a_page_without_marks_is_left_alone(self):
        self.page.write_text("nothing\n")
        said = self.call("--nodes", "200", "--write")
        self.assertEqual(said.returncode, 1)
        self.assertIn("has lost the marks", said.stderr)
        self.assertEqual(self.page.read_text(), "nothing\n")

    def test_a_program_that_fails_is_named_in_one_sentence(self):
        self.install(self.program, "#!/bin/sh\necho broken >&2\nexit 3\n")
        self.assert_fails(self.call("--nodes", "200"), "ended with 3: broken")

    def test_a_program_that_is_not_there_or_says_nothing_is_an_error(self):
        self.install(self.program, "#!/bin/sh\n")
        self.assertIn("printed no line with seconds", self.call("--nodes", "200").stderr)
        self.program.unlink()
        said = self.call("--nodes", "200")
        self.assertEqual(said.returncode, 1)
        self.assertIn("No such file", said.stderr)

    def test_STGyms_own_step_of_the_same_run_is_what_the_others_are_compared_with(self):
        (self.folder / "stgym/stgym").mkdir(parents=True)
        self.install(self.python, """#!/bin/sh\necho a warning\necho '{"shortest_ms": 400.0}'\n""")
        said = self.call("--nodes", "200", "--stgym", str(self.folder / "stgym"))
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertIn("times as fast as STGym's Python", said.stdout)
        self.assertIn("| published end | 0.2000 s | 2.0 | 2.0 | 1.00 |", said.stdout)

    def test_a_folder_without_STGym_is_refused(self):
        said = self.call("--stgym", str(self.folder))
        self.assertEqual(said.returncode, 2)
        self.assertIn("it has no folder stgym", said.stderr)


if __name__ == "__main__":
    unittest.main()
