"""run-here.sh of a bundle: which LibTorch it takes, and what it says where none fits."""

import os
import subprocess
import sys
import unittest

from fake_bundle import FakeBundle


class Torch(FakeBundle):
    def refused(self, *words, arguments=("run",), **environment):
        said = self.run_here(*arguments, **environment)
        self.assertEqual((said.returncode, said.stdout), (1, ""), said)
        self.assertRegex(said.stderr, r"^tuneproof: [^\n]+\n$")
        for word in words:
            self.assertIn(word, said.stderr)

    def python_that_imports(self, torch):
        body = f'echo "{torch}"' if torch else "exit 1"
        for name in ["python3", "python"]:
            self.program(f"bin/{name}", f"#!/bin/bash\n{body}\n")

    def test_Torch_DIR_is_used_where_it_fits(self):
        said = self.run_here("run", "--suite", "quick", FAKE_RUN='echo "$LD_LIBRARY_PATH"')
        self.assertEqual(said.returncode, 0, said)
        self.assertTrue(said.stdout.startswith(f"{self.torch}/lib"), said.stdout)

    def test_an_importable_torch_is_used_where_Torch_DIR_is_not_set(self):
        self.python_that_imports(self.torch)
        said = self.run_here("--check", Torch_DIR="")
        self.assertEqual((said.returncode, said.stdout), (0, f"LibTorch 2.11.0: {self.torch}\n"), said)

    def test_a_torch_in_the_current_folder_is_none(self):
        for name in ["python3", "python"]:  # without packages of its own
            self.program(f"bin/{name}", f'#!/bin/bash\nexec {sys.executable} -S "$@"\n')
        (self.root / "torch/__init__.py").write_text("")  # a LibTorch that would fit lies where it is called
        self.refused("bin/python3: cannot import torch", Torch_DIR="")

    def test_each_reason_why_one_does_not_fit(self):
        for torch, reason in [(self.fake_torch("old", version="2.10.0"), "is 2.10.0"),
                              (self.fake_torch("cpu", cuda=""), "is built without CUDA"),
                              (self.fake_torch("abi", abi="_ZNSsE"), "is built with the old C++ ABI"),
                              (self.fake_torch("cuda12", cuda="libcudart.so.12"), "is built with another CUDA"),
                              (self.root / "none", "holds no LibTorch")]:
            with self.subTest(reason):
                self.refused("no LibTorch 2.11.0 with CUDA 13 and the C++11 ABI is here", str(torch), reason,
                             Torch_DIR=f"{torch}/share/cmake/Torch")

    def test_without_any_torch_it_names_every_place_that_it_looked_at(self):
        self.python_that_imports(None)
        self.refused("bin/python3: cannot import torch", "bin/python: cannot import torch", "Torch_DIR: not set",
                     "install torch==2.11.0", Torch_DIR="")
        self.refused("cannot import torch", arguments=("everything", "--out", "x", "--minutes", "1"), Torch_DIR="")
        self.refused("cannot import torch", arguments=("tests",), Torch_DIR="")

    def test_what_measures_nothing_works_without_torch(self):
        self.python_that_imports(None)
        for arguments in [("list",), ("merge", "x"), ("doctor",), ("run", "--help"), ("--version",)]:
            said = self.run_here(*arguments, Torch_DIR="")
            self.assertEqual(said.returncode, 0, said)

    def test_doctor_says_where_no_torch_was_found_and_runs(self):
        self.python_that_imports(None)
        said = self.run_here("doctor", Torch_DIR="")
        self.assertEqual((said.returncode, said.stdout), (0, "doctor ran\n"), said)
        self.assertRegex(said.stderr, r"^tuneproof: no LibTorch [^\n]+\n$")
        self.assertEqual(self.run_here("list", Torch_DIR="").stderr, "")

    def test_another_architecture_and_older_libraries_are_refused(self):
        needs = self.bundle / "needs.sh"
        text = needs.read_text()
        needs.write_text(text.replace(os.uname().machine, "riscv99"))
        self.refused("this bundle is for riscv99")
        needs.write_text(text.replace("2.17", "9.99"))
        self.refused("this bundle needs glibc 9.99 or newer (have: 2.")
        needs.write_text(text.replace("3.4.20", "3.9.99"))
        self.refused("this bundle needs a libstdc++ with GLIBCXX_3.9.99")
        (self.root / "newer").mkdir()
        self.write("newer/libstdc++.so.6", "GLIBCXX_3.9.99")
        said = self.run_here("list", LD_LIBRARY_PATH=str(self.root / "newer"))
        self.assertEqual(said.returncode, 0, said)

    def test_any_command_starts_in_the_folder_of_the_bundle(self):
        said = self.run_here("--", "pwd")
        self.assertEqual(said.stdout, f"{self.bundle}\n", said)

    def test_it_may_be_started_through_a_link_and_with_CDPATH(self):
        (self.root / "link").symlink_to(self.bundle / "run-here.sh")
        for script, environment in [("./link", {}), ("bundle/run-here.sh", {"CDPATH": f".:{self.root}"})]:
            said = subprocess.run(["bash", script, "list"], env={**self.environment, **environment}, cwd=self.root,
                                  capture_output=True, text=True, timeout=60)
            self.assertEqual((said.returncode, said.stdout, said.stderr), (0, "list ran\n", ""))

    def test_no_command_is_an_error(self):
        self.refused("-- needs a command", arguments=("--",))

    def test_tests_run_one_after_the_other_and_one_failure_fails_them(self):
        self.program("bundle/tests/stgym_tests", "#!/bin/bash\nexit 3\n")
        self.program("bundle/tests/fake_worker", "#!/bin/bash\necho never\n")
        said = self.run_here("tests", "[gpu]")
        self.assertEqual(said.returncode, 1)
        self.assertIn("tested --allow-running-no-tests [gpu]", said.stdout)
        self.assertIn("tests/stgym_tests FAILED with exit code 3", said.stdout)
        self.assertNotIn("never", said.stdout)

    def test_the_help_needs_nothing(self):
        self.assertIn("Usage: run-here.sh", self.run_here(Torch_DIR="").stdout)


if __name__ == "__main__":
    unittest.main()
