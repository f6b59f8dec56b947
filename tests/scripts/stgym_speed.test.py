"""scripts/stgym_speed.py on a program that is made up: no LibTorch, nothing measured."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent.parent.parent / "scripts/stgym_speed.py"
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


class Speed(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.program = self.folder / "program"
        self.page = self.folder / "page.md"
        self.page.write_text(PAGE)
        self.install(PROGRAM)

    def install(self, text):
        self.program.write_text(text)
        self.program.chmod(0o755)

    def call(self, *arguments):
        return subprocess.run([sys.executable, "-B", SCRIPT, "--program", self.program, "--page", self.page, *arguments],
                              capture_output=True, text=True, timeout=60)

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
        self.install("#!/bin/sh\necho broken >&2\nexit 3\n")
        said = self.call("--nodes", "200")
        self.assertEqual((said.returncode, said.stdout), (1, ""))
        self.assertRegex(said.stderr, r"^stgym_speed.py: .*ended with 3: broken\n$")

    def test_a_program_that_is_not_there_or_says_nothing_is_an_error(self):
        self.install("#!/bin/sh\n")
        self.assertIn("printed no line with seconds", self.call("--nodes", "200").stderr)
        self.program.unlink()
        said = self.call("--nodes", "200")
        self.assertEqual(said.returncode, 1)
        self.assertIn("No such file", said.stderr)

    def test_STGyms_own_step_of_the_same_run_is_what_the_others_are_compared_with(self):
        (self.folder / "stgym/stgym").mkdir(parents=True)
        python = self.folder / "python"
        python.write_text("""#!/bin/sh\necho a warning\necho '{"shortest_ms": 400.0}'\n""")
        python.chmod(0o755)
        said = self.call("--nodes", "200", "--stgym", str(self.folder / "stgym"), "--python", str(python))
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertIn("times as fast as STGym's Python", said.stdout)
        self.assertIn("| published end | 0.2000 s | 2.0 | 2.0 | 1.00 |", said.stdout)

    def test_a_folder_without_STGym_is_refused(self):
        said = self.call("--stgym", str(self.folder))
        self.assertEqual(said.returncode, 2)
        self.assertIn("it has no folder stgym", said.stderr)


if __name__ == "__main__":
    unittest.main()
