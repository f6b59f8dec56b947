"""What scripts/bundle/paths.sh makes of the folders in packed programs: none is named, and none is looked for below the current folder."""

import pathlib
import subprocess
import tempfile
import unittest

PROJECT = pathlib.Path(__file__).resolve().parents[2]
LIB = "/of/this/machine"


class Paths(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def call(self, function, target):
        script = 'set -euo pipefail; source scripts/lib.sh; source scripts/bundle/paths.sh; ' \
                 f'deps={LIB} project={LIB}/project CUDAToolkit_ROOT={LIB}/cuda Torch_DIR={LIB}/torch; {function} "$1"'
        return subprocess.run(["bash", "-c", script, "-", str(target)], cwd=PROJECT, capture_output=True, text=True)

    def program(self, path):
        target = self.folder / "packed"
        target.mkdir(exist_ok=True)
        (self.folder / "program.c").write_text("int main(void) { return 0; }")
        subprocess.run(["cc", f"-Wl,-rpath,{path}", "-o", target / "program", self.folder / "program.c"], check=True)
        return target

    def test_a_program_that_looks_beside_itself_passes(self):
        said = self.call("check_paths", self.program("$ORIGIN/lib:/...."))
        self.assertEqual((said.returncode, said.stderr), (0, ""))

    def test_one_that_looks_below_the_current_folder_is_refused(self):
        for path in ("$ORIGIN/lib:..../lib", "$ORIGIN/lib:"):
            with self.subTest(path=path):
                said = self.call("check_paths", self.program(path))
                self.assertEqual(said.returncode, 1)
                self.assertIn("below the current folder", said.stderr)

    def test_a_folder_that_the_debugger_would_name_keeps_its_slash_and_length(self):
        (self.folder / "worker").write_text(f'microbench/memory/math_rounds.cuh" {LIB}/cuda/lib end')
        self.assertEqual(self.call("forget_debug_paths", self.folder).returncode, 0)
        dots = "." * len("of/this/machine/cuda")
        self.assertEqual((self.folder / "worker").read_text(), f'microbench/memory/math_rounds.cuh" /{dots}/lib end')


if __name__ == "__main__":
    unittest.main()
