"""scripts/run.sh and what else builds, on fake machines: which program is started, with which LibTorch, for which GPU."""

import shutil
import unittest

from fake_machine import PROJECT, FakeMachine


class Run(FakeMachine):
    def setUp(self):
        super().setUp()
        self.build(architectures="80-real;90-real;90-virtual")
        self.write("deps/env.sh", "")
        self.write("project/scripts/build.sh", "#!/bin/bash\n").chmod(0o755)
        self.write("project/build/tuneproof", '#!/bin/bash\necho "started: $*"\n').chmod(0o755)

    def build(self, architectures):
        self.write("project/build/CMakeCache.txt", f"CMAKE_CUDA_ARCHITECTURES:UNINITIALIZED={architectures}\n")

    def test_the_main_job_is_the_quick_suite(self):
        self.assertEqual(self.run_script("run.sh").stdout, "started: run --suite quick\n")

    def test_arguments_behind_the_dashes_go_to_the_program(self):
        self.assertEqual(self.run_script("run.sh", "--", "list", "--json").stdout, "started: list --json\n")

    def test_an_unknown_option_is_refused(self):
        result = self.run_script("run.sh", "list")
        self.assertEqual(result.returncode, 1)
        self.assertIn("does not know 'list'", result.stderr)

    def test_an_unknown_preset_is_refused_before_anything_is_made(self):
        for arguments in [("--preset", "bogus"), ("--preset",)]:
            result = self.run_script("run.sh", *arguments)
            self.assertEqual(result.returncode, 1)
            self.assertIn("unknown preset", result.stderr)
            self.assertIn("have: release dev asan gpu", result.stderr)
            self.assertNotIn("line ", result.stderr)

    def test_a_missing_list_of_architectures_is_refused(self):
        for arguments in [("--arch",), ("--arch", "--help"), ("--arch", "80;")]:
            result = self.run_script("run.sh", *arguments)
            self.assertEqual(result.returncode, 1)
            self.assertIn("--arch needs a list", result.stderr)

    def test_an_architecture_that_nvcc_does_not_know_is_refused_before_anything_is_made(self):
        for word in ["70", "80;91", "900-real"]:
            result = self.run_script("run.sh", "--arch", word)
            self.assertEqual(result.returncode, 1)
            self.assertRegex(result.stderr, r"--arch: CUDA 13 does not compile for (70|91|900) \(it does for: 75 80 86 ")

    def test_every_architecture_that_the_documents_name_is_taken(self):
        for word in ["75", "86", "89", "100", "120", "75-real;80-real;90-virtual", "90a", "native"]:
            result = self.run_script("run.sh", "--arch", word, "--help")
            self.assertEqual(result.returncode, 0, result.stderr)

    def test_a_gpu_the_build_has_no_code_for_is_refused(self):
        self.fake_gpu(driver="580.1", capability="7.5")
        result = self.run_script("run.sh")
        self.assertEqual(result.returncode, 1)
        for word in ["Fake GPU", "have: 80-real;90-real;90-virtual", "need: 75", "--arch 75"]:
            self.assertIn(word, result.stderr)

    def test_a_gpu_without_code_is_no_obstacle_when_the_cpu_is_asked_for(self):
        self.fake_gpu(driver="580.1", capability="7.5")
        self.assertEqual(self.run_script("run.sh", CUDA_VISIBLE_DEVICES="").returncode, 0)

    def test_machine_code_serves_later_minor_versions_and_ptx_all_later_ones(self):
        for capability, architectures, serves in [
            ("8.9", "80-real", True),
            ("9.0", "80-real", False),
            ("8.0", "86-real", False),
            ("12.0", "80-real;90-virtual", True),
            ("8.9", "90", False),
            ("10.0", "90", True),
            ("7.5", "native", True),
        ]:
            with self.subTest(capability=capability, architectures=architectures):
                self.build(architectures)
                self.fake_gpu(driver="580.1", capability=capability)
                self.assertEqual(self.run_script("run.sh").returncode == 0, serves)

    def test_a_bundle_and_a_wheel_are_built_with_the_torch_that_is_asked_for(self):
        self.write("project/scripts/build.sh", '#!/bin/bash\necho "built with $TUNEPROOF_TORCH"; exit 1\n').chmod(0o755)
        self.fake("uname", "echo x86_64")
        for script in ["bundle.sh", "wheel.sh"]:
            self.assertEqual(self.run_script(script, "--torch", "2.15.0").stdout, "built with 2.15.0\n")
            for asked in ["", "2.16", "2.15.9", "--help"]:
                result = self.run_script(script, "--torch", *filter(None, [asked]))
                self.assertEqual((result.returncode, result.stdout), (1, ""))
                self.assertRegex(result.stderr, rf"^tuneproof: LibTorch '{asked}' is none .*: 2[.]11[.]0, .*[.]\n$")

    def test_the_build_says_how_far_it_is_and_how_long_the_rest_will_take(self):
        shutil.copy(PROJECT / "scripts/build.sh", self.root / "project/scripts/build.sh")
        self.write("project/scripts/setup.sh", "#!/bin/bash\n").chmod(0o755)
        self.write("project/build/build.ninja", "")
        self.write("project/build/env.sh", "")
        self.write("project/build/tuneproof-worker", "").chmod(0o755)
        self.fake("cmake", 'echo "$NINJA_STATUS" >&2')
        for status, expected in [({}, "[%f/%t, %w, %W left]"), ({"NINJA_STATUS": "mine"}, "mine")]:
            result = self.run_script("build.sh", **status)
            self.assert_works(result)
            self.assertEqual(result.stderr.strip(), expected)


if __name__ == "__main__":
    unittest.main()
