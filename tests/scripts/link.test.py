"""The programs are linked with the libraries that lie beside LibTorch, even where the toolkit's folder holds an older NCCL.

Usage: link.test.py BUILD CXX
"""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

COMPILER, BUILD = sys.argv.pop(), pathlib.Path(sys.argv.pop())


class Link(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tuneproof.")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "main.cpp").write_text("int main() {}\n")
        (self.folder / "old.cpp").touch()
        self.compile("-shared", "-Wl,-soname,libnccl.so.2", "-o", "libnccl.so.2", "old.cpp").check_returncode()

    def compile(self, *arguments):
        return subprocess.run([COMPILER, *arguments], cwd=self.folder, text=True, capture_output=True)

    def test_an_older_NCCL_in_the_toolkits_folder_is_not_taken(self):
        worker = re.search(r"^build tuneproof-worker:.*?^$", (BUILD / "build.ninja").read_text(), re.M | re.S)[0]
        flags = re.search(r"LINK_FLAGS = (.*)", worker)[1].split()
        torch = re.search(r'"(\S+/libtorch_cuda\.so)"', worker)[1]
        program = ["main.cpp", "-o", "main", "-Wl,--no-as-needed", torch, "-Wl,-rpath,."]  # as CMake names the toolkit's folder
        if "nccl" not in self.compile(*program).stderr:
            self.skipTest("this LibTorch loads no NCCL")
        self.assertEqual(self.compile(*program, *flags).stderr, "")


if __name__ == "__main__":
    unittest.main()
