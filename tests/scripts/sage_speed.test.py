"""scripts/sage_speed.py on a program and a Python that are made up: no LibTorch, nothing measured."""

import unittest

from made_up_programs import SpeedTest

PROGRAM = """#!/bin/sh
case $1 in
  "") printf 'naive\\nuntrimmed\\nbest\\n' ;;
  naive) echo '{"sample":[0.1,0.2],"gather":[0.1,0.1],"train":[0.5,0.6],"nodes":1000}' ;;
  untrimmed) echo '{"sample":[0.1,0.1],"gather":[0.1,0.1],"train":[0.4,0.4],"ahead":[0.4],"nodes":1000}' ;;
  best) echo '{"sample":[0.02,0.1],"gather":[0.1,0.1],"train":[0.1,0.1],"ahead":[0.2],"nodes":1000}' ;;
esac
"""
# Its arguments: -B, sage_python.py, the form, the folder.
PYTHON = """#!/bin/sh
case $3 in
  draw) ;;
  sampler) echo '{"sample":[0.2,0.2],"gather":[0.1,0.1],"train":[0.2,0.2],"ahead":[0.8],"nodes":1100}' ;;
  *) if [ "$MALLOC_MMAP_MAX_" = 0 ]; then ahead=0.8; else ahead=0.9; fi
     echo '{"sample":[0.3,0.3],"gather":[0.1,0.1],"train":[0.9,0.9],"ahead":['$ahead'],"nodes":1000}' ;;
esac
"""


class Speed(SpeedTest):
    SCRIPT, PROGRAM, PYTHON = "sage_speed.py", PROGRAM, PYTHON

    def test_parts_and_steps_of_each_form_stand_apart_with_their_spread(self):
        said = self.call()
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertIn("| here | naive | 1,000 | 150.0 (100.0 to 200.0) | 100.0 (100.0 to 100.0) | 550.0 (500.0 to 600.0) "
                      "| 800.0 (700.0 to 900.0) |  |\n", said.stdout)
        self.assertIn("| PyG, memory kept | loader |", said.stdout)

    def test_untrimmed_forms_stand_beside_each_other_and_so_do_the_shortest_of_all(self):
        self.assertTrue(self.call().stdout.endswith("""
| what | here | ms | PyG | ms | of PyG's time |
|---|---|---:|---|---:|---:|
| step, all layers on the whole sample | untrimmed | 400.0 | loader, PyG, memory kept | 800.0 | 0.50 |
| step, any form | best | 200.0 | sampler, PyG | 500.0 | 0.40 |
| sampling alone | best | 60.0 | sampler, PyG | 200.0 | 0.30 |
"""))

    def test_a_form_that_fails_is_named_in_one_sentence(self):
        self.install(self.python, "#!/bin/sh\necho 'no torch_geometric here' >&2\nexit 3\n")
        self.assert_fails(self.call(), r"ended with 3: no torch_geometric here\.")

    def test_each_form_of_the_table_is_one_that_Python_times(self):
        self.assert_forms_are_those_of("FORMS_OF_PYG", "sage_python.py")


if __name__ == "__main__":
    unittest.main()
