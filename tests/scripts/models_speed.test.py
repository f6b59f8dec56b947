"""scripts/models_speed.py on a program and a Python that are made up: no LibTorch, nothing measured."""

import unittest

from made_up_programs import SpeedTest

PROGRAM = """#!/bin/sh
case $2 in
  "") printf 'naive\\nbest\\nbest_bf16_compiled\\n' ;;
  naive) printf '0.9\\n0.4\\n0.5\\n' ;;
  best) printf '0.8\\n0.3\\n0.3\\n' ;;
  best_bf16_compiled) printf '0.7\\n0.2\\n0.1\\n' ;;
esac
"""
# Its arguments: models_python.py, the model, the form, the steps.
PYTHON = """#!/bin/sh
case $3 in
  compile_bf16) if [ "$MALLOC_MMAP_MAX_" = 0 ]; then printf '9\\n0.14\\n0.2\\n'; else printf '9\\n0.15\\n0.2\\n'; fi ;;
  *) printf '8\\n0.6\\n0.8\\n' ;;
esac
"""


class Speed(SpeedTest):
    SCRIPT, PROGRAM, PYTHON = "models_speed.py", PROGRAM, PYTHON

    def test_each_form_has_its_line_with_the_first_step_apart(self):
        said = self.call("gpt")
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertIn("| gpt | here | naive | 400.0 | 450.0 | 500.0 | 1.00 | 0.90 |\n", said.stdout)
        self.assertIn("| gpt | Python | compile_bf16 | 150.0 | 175.0 | 200.0 | 2.67 | 9.00 |\n", said.stdout)

    def test_the_best_form_here_stands_beside_the_best_of_Python(self):
        self.assertTrue(self.call("gpt", "unet").stdout.endswith("""
| model | here | ms | Python | ms | times Python's best |
|---|---|---:|---|---:|---:|
| gpt | best_bf16_compiled | 100.0 | compile_bf16, memory kept | 140.0 | 1.40 |
| unet | best_bf16_compiled | 100.0 | compile_bf16, memory kept | 140.0 | 1.40 |
"""))

    def test_without_compile_neither_precision_is_compiled_in_Python(self):
        self.assertNotIn("| compile", self.call("gpt", "--no-compile").stdout)

    def test_a_form_that_fails_is_named_in_one_sentence(self):
        self.install(self.python, "#!/bin/sh\necho 'no torch here' >&2\nexit 3\n")
        self.assert_fails(self.call("gpt"), r"gpt ended with 3: no torch here\.")

    def test_each_form_of_the_table_is_one_that_Python_times(self):
        self.assert_forms_are_those_of("PYTHON_FORMS", "models_python.py")


if __name__ == "__main__":
    unittest.main()
