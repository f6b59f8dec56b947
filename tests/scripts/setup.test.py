"""scripts/setup.sh on fake machines: what it refuses and how it says so, and that a second call does nothing."""

import re
import unittest

from fake_machine import PIP_WORKS, PROJECT, FakeMachine

# What setup.sh asks for, from the one list of it: a package that is added there is no change here.
LISTS = dict(re.findall(r'^(\w+_packages)="(.+)"$', (PROJECT / "scripts/versions.sh").read_text(), re.M))
OF_THE_LIBRARY = LISTS["library_packages"].split()
ASKED_FOR = LISTS["debian_packages"].replace("$library_packages", LISTS["library_packages"]).split()
ALL_PACKAGES = {name.replace("-", "_"): "9" for name in ASKED_FOR}


class WhatTheMachineMustBring(FakeMachine):
    def test_an_old_compiler_is_refused_with_both_versions(self):
        self.fake("g++", "echo 11.4.0")
        self.assert_refused(self.run_script("setup.sh"), "have: g++ 11.4.0", "need: g++ 12")

    def test_a_missing_compiler_is_refused(self):
        (self.bin / "g++").unlink()
        self.assert_refused(self.run_script("setup.sh"), "have: none", "need: g++ 12")

    def test_a_newer_compiler_beside_an_old_one_is_used(self):
        self.fake("g++", "echo 11.4.0")
        self.fake("g++-13", "echo 13.2.0")
        self.assert_works(self.run_script("setup.sh"))
        self.assertIn(f"export CXX={self.bin}/g++-13", (self.deps / "env.sh").read_text())

    def test_an_old_python_is_refused_with_both_versions(self):
        self.assert_refused(
            self.run_script("setup.sh", FAKE_PYTHON_VERSION="3.9.2"), "have: 3.9.2", "need: 3.11"
        )

    def test_a_python_without_venv_is_refused(self):
        self.assert_refused(self.run_script("setup.sh", FAKE_NO_VENV="1"), "venv module", "python3-venv")

    def test_too_little_disk_is_refused_before_any_download(self):
        self.fake_free_space(gigabytes=5)
        self.assert_refused(self.run_script("setup.sh"), "have: 5 GB", "need: 8 GB", "TUNEPROOF_DEPS")
        self.assertEqual(self.calls.read_text(), "")

    def test_a_folder_that_cannot_be_written_is_refused(self):
        self.write("file", "")
        result = self.run_script("setup.sh", TUNEPROOF_DEPS=str(self.root / "file/deps"))
        self.assert_refused(result, "cannot be written", "TUNEPROOF_DEPS")

    def test_a_folder_that_cannot_be_made_is_not_told_as_a_full_disk(self):
        result = self.run_script("setup.sh", TUNEPROOF_DEPS="/proc/tuneproof")
        self.assert_refused(result, "/proc/tuneproof cannot be written", "TUNEPROOF_DEPS")


class Machine(FakeMachine):
    def test_on_aarch64_a_torch_with_cuda_must_be_there_before(self):
        self.fake("uname", "echo aarch64")
        self.assert_refused(self.run_script("setup.sh"), "no CUDA on aarch64", "Torch_DIR")
        self.assertEqual(self.calls.read_text(), "")

    def test_the_wheel_is_of_x86_64_alone_and_names_what_packs_elsewhere(self):
        self.fake("uname", "echo aarch64")
        self.assert_refused(self.run_script("wheel.sh"), "x86_64 alone", "have: aarch64", "bundle.sh")

    def test_another_processor_is_refused(self):
        self.fake("uname", "echo riscv64")
        self.assert_refused(self.run_script("setup.sh"), "x86_64 and aarch64", "have: riscv64")


class Driver(FakeMachine):
    def test_an_old_driver_is_refused_with_both_versions(self):
        self.fake_gpu(driver="535.104.05")
        self.assert_refused(self.run_script("setup.sh"), "have: 535.104.05", "need: 580")

    def test_an_old_driver_is_seen_without_nvidia_smi(self):
        self.write("driver", "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.104.05  Sat Aug 19\nGCC 12.2.0\n")
        self.assert_refused(self.run_script("setup.sh"), "have: 535.104.05", "need: 580")

    def test_an_old_driver_is_no_obstacle_when_the_cpu_is_asked_for(self):
        self.fake_gpu(driver="535.104.05")
        self.assert_works(self.run_script("setup.sh", CUDA_VISIBLE_DEVICES=""))

    def test_a_new_driver_passes(self):
        self.fake_gpu(driver="580.65.06")
        self.assert_works(self.run_script("setup.sh"))


class Download(FakeMachine):
    def assert_does_nothing(self, result):
        self.assert_works(result)
        self.assertEqual(result.stderr, "")

    def test_no_network_is_told_and_the_next_try_works(self):
        broken = "echo 'NewConnectionError: Temporary failure in name resolution'; exit 1"
        self.assert_refused(self.run_script("setup.sh", FAKE_PIP=PIP_WORKS + broken), "no network")
        self.assert_works(self.run_script("setup.sh"))

    def test_a_disk_that_fills_up_is_told_from_a_missing_network(self):
        full = "echo 'OSError: [Errno 28] No space left on device'; exit 1"
        self.assert_refused(self.run_script("setup.sh", FAKE_PIP=full), "disk is full", "need: 8 GB")

    def test_a_python_without_wheels_is_told_from_a_missing_network(self):
        none = "echo 'ERROR: No matching distribution found for torch==2.15.0'; exit 1"
        self.assert_refused(self.run_script("setup.sh", FAKE_PIP=none), "torch==2.15.0 has no wheel")

    def test_any_other_failure_names_the_log(self):
        self.assert_refused(self.run_script("setup.sh", FAKE_PIP="exit 1"), "pip failed", "setup.log")

    def test_another_torch_has_folders_of_its_own(self):
        self.assert_works(self.run_script("setup.sh", TUNEPROOF_TORCH="2.13.0"))
        asked = self.calls.read_text()
        for wheel in [" torch==2.13.0 ", "]==13.0.3 ", " nvidia-cuda-crt==13.0.* ", " nvidia-nvvm==13.0.*"]:
            self.assertIn(wheel, asked)
        self.assertTrue((self.root / "deps-torch-2.13.0/env.sh").exists())
        self.assertFalse(self.deps.exists())

    def test_a_torch_that_is_in_no_table_is_refused_and_so_is_a_python_older_than_its_wheels(self):
        for asked in ["2.10.0", "2.16", "2.15.9", "2.15", "--help", ""]:
            self.assert_refused(self.run_script("setup.sh", TUNEPROOF_TORCH=asked), f"LibTorch '{asked}' is none", ": 2.11.0, 2.12.0")
        python = {"FAKE_PYTHON_VERSION": "3.10.4"}
        self.assert_refused(self.run_script("setup.sh", TUNEPROOF_TORCH="2.15.0", **python), "have: 3.10.4", "need: 3.11")
        self.assert_works(self.run_script("setup.sh", TUNEPROOF_TORCH="2.14.0", **python))

    def test_CUTLASS_has_a_folder_of_its_own_and_where_it_cannot_be_fetched_the_rest_stays(self):
        broken = "case \"$*\" in *cutlass*) echo 'NewConnectionError: Temporary failure in name resolution'; exit 1 ;; esac"
        result = self.run_script("setup.sh", FAKE_PIP=PIP_WORKS + broken)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("no network", result.stderr.splitlines()[-1])
        self.assert_works(self.run_script("setup.sh"))
        asked = self.calls.read_text()
        self.assertEqual((asked.count("venv\n"), asked.count(" torch==")), (1, 1))
        self.assertRegex(asked, r" --no-deps --target \S+/cutlass-([\d.]+) nvidia-cutlass==\1\n")
        self.assertRegex((self.deps / "env.sh").read_text(), r"export CUTLASS_DIR=\S+/cutlass-[\d.]+\n")

    def test_a_half_made_environment_is_thrown_away(self):
        self.write("deps/venv/left-over", "")
        self.assert_works(self.run_script("setup.sh"))
        self.assertFalse((self.deps / "venv/left-over").exists())

    def test_a_second_call_starts_neither_venv_nor_pip(self):
        self.assert_works(self.run_script("setup.sh"))
        first = self.calls.read_text()
        self.assert_does_nothing(self.run_script("setup.sh"))
        self.assertEqual(self.calls.read_text(), first)

    def test_a_call_with_env_sh_sourced_does_nothing_either(self):
        self.assert_works(self.run_script("setup.sh"))
        lines = (self.deps / "env.sh").read_text().splitlines()
        sourced = dict(line[7:].split("=", 1) for line in lines if line.startswith("export ") and "PATH" not in line)
        self.assert_does_nothing(self.run_script("setup.sh", **sourced))

    def test_another_torch_takes_no_toolkit_of_an_env_sh_that_is_sourced(self):
        self.assert_works(self.run_script("setup.sh"))
        own = self.write("deps/venv/cuda/bin/nvcc", "#!/bin/bash\necho 'release 13.2, V13.2.1'")
        own.chmod(0o755)
        for header in WhatIsInstalled.HEADERS:
            self.write(f"deps/venv/cuda/include/{header}.h", "")
        lines = (self.deps / "env.sh").read_text().splitlines()
        sourced = dict(line[7:].split("=", 1) for line in lines if line.startswith("export ") and "PATH" not in line)
        sourced |= {"CUDACXX": str(own), "PATH": f"{own.parent}:{self.bin}"}
        self.assert_works(self.run_script("setup.sh", TUNEPROOF_TORCH="2.13.0", **sourced))
        self.assertNotIn(str(own), (self.root / "deps-torch-2.13.0/env.sh").read_text())

    def test_another_compiler_needs_no_second_download(self):
        self.assert_works(self.run_script("setup.sh"))
        self.fake("g++-14", "echo 14.2.0")
        self.assert_works(self.run_script("setup.sh", CXX="g++-14", FAKE_PIP="exit 1"))
        self.assertIn("g++-14", (self.deps / "env.sh").read_text())

    def test_the_wheels_of_the_toolkit_are_mended(self):
        self.assert_works(self.run_script("setup.sh"))
        root = self.deps / "venv/site/nvidia/cu13"
        self.assertTrue((root / "lib64/libcudart.so").exists())


class OfTheLibrary(FakeMachine):
    def test_neither_LibTorch_nor_CUDA_is_fetched_and_the_whole_set_up_stays_apart(self):
        self.fake_packages(**{name.replace("-", "_"): "9" for name in OF_THE_LIBRARY})
        self.assert_works(self.run_script("setup.sh", "--library"))
        self.assertNotRegex(self.calls.read_text(), r"torch|cuda|apt-get")
        environment = (self.deps / "library/env.sh").read_text()
        self.assertNotIn("export Torch_DIR", environment)
        self.assertFalse((self.deps / "env.sh").exists())
        first = self.calls.read_text()
        self.assert_works(self.run_script("setup.sh", "--library"))
        self.assertEqual(self.calls.read_text(), first)


class WhatIsInstalled(FakeMachine):
    HEADERS = "cuda_runtime cublas_v2 cusparse cufft curand cusolverDn nvrtc".split()

    def install_torch(self, version, cuda):
        root = self.root / "site/torch"
        self.write("site/torch/share/cmake/Torch/TorchConfigVersion.cmake", f'set(PACKAGE_VERSION "{version}")\n')
        self.write("site/torch/share/cmake/Torch/TorchConfig.cmake", "")
        self.write("site/torch/lib/libc10_cuda.so", "")
        self.fake("readelf", f"echo ' (NEEDED) Shared library: [libcudart.so.{cuda}]'")
        return root

    def install_toolkit(self, version):
        for header in self.HEADERS:
            self.write(f"cuda/include/{header}.h", "")
        nvcc = self.write("cuda/bin/nvcc", f"#!/bin/bash\necho 'Cuda compilation tools, release {version}, V{version}.1'")
        nvcc.chmod(0o755)
        return self.root / "cuda"

    def test_libtorch_and_toolkit_that_fit_are_used(self):
        torch, cuda = self.install_torch("2.15.0", 13), self.install_toolkit("13.2")
        result = self.run_script("setup.sh", FAKE_TORCH=str(torch), CUDA_HOME=str(cuda))
        self.assert_works(result)
        self.assertNotIn("torch==", self.calls.read_text())
        self.assertNotIn("cuda-toolkit", self.calls.read_text())
        self.assertIn(f"CUDACXX={cuda}/bin/nvcc", (self.deps / "env.sh").read_text())

    def test_a_driver_without_a_toolkit_gets_the_wheels(self):
        torch = self.install_torch("2.15.0", 13)
        self.assert_works(self.run_script("setup.sh", FAKE_TORCH=str(torch)))
        self.assertNotIn("torch==", self.calls.read_text())
        self.assertIn("cuda-toolkit", self.calls.read_text())

    def test_another_version_of_torch_is_left_alone(self):
        torch = self.install_torch("2.9.1", 13)
        self.assert_works(self.run_script("setup.sh", FAKE_TORCH=str(torch)))
        self.assertIn("torch==2.15.0", self.calls.read_text())

    def test_a_toolkit_of_another_major_version_than_libtorch_is_left_alone(self):
        cuda = self.install_toolkit("12.6")
        self.assert_works(self.run_script("setup.sh", CUDA_HOME=str(cuda)))
        self.assertIn("cuda-toolkit", self.calls.read_text())

    def test_a_toolkit_older_than_libtorchs_own_is_left_alone(self):
        torch, cuda = self.install_torch("2.15.0", 13), self.install_toolkit("13.1")
        self.assert_works(self.run_script("setup.sh", FAKE_TORCH=str(torch), CUDA_HOME=str(cuda), TUNEPROOF_TORCH="2.15.0"))
        self.assertIn("]==13.2.2", self.calls.read_text())

    def test_libtorch_and_toolkit_of_cuda_12_go_together(self):
        torch, cuda = self.install_torch("2.15.0", 12), self.install_toolkit("12.6")
        self.fake_gpu(driver="535.104.05")
        self.assert_works(self.run_script("setup.sh", FAKE_TORCH=str(torch), CUDA_HOME=str(cuda)))

    def test_a_toolkit_without_the_libraries_headers_is_left_alone(self):
        cuda = self.install_toolkit("13.2")
        (cuda / "include/cusparse.h").unlink()
        self.assert_works(self.run_script("setup.sh", CUDA_HOME=str(cuda)))
        self.assertIn("cuda-toolkit", self.calls.read_text())

    def test_a_torch_dir_that_does_not_fit_is_refused(self):
        torch = self.install_torch("2.9.1", 13)
        result = self.run_script("setup.sh", Torch_DIR=f"{torch}/share/cmake/Torch")
        self.assert_refused(result, "have: 2.9.1", "need: LibTorch 2.15")


class DebianPackages(FakeMachine):
    SOURCES = "Types: deb\nURIs: http://mirror.invalid/debian\nSuites: bookworm bookworm-updates\nComponents: main\n"

    def become_root(self):
        self.fake("id", "echo 0")

    def test_a_plain_user_with_all_packages_needs_no_root(self):
        self.fake_packages(**ALL_PACKAGES)
        self.assert_works(self.run_script("setup.sh"))
        self.assertNotIn("apt-get", self.calls.read_text())

    def test_a_plain_user_is_told_the_line_to_run(self):
        self.fake_packages(**{**ALL_PACKAGES, "catch2": "2.13.10-1"})
        result = self.run_script("setup.sh", FAKE_NO_VENV="1")
        self.assert_refused(result, "apt-get install -y catch2 python3-venv", "as root")

    def test_root_installs_only_what_is_missing(self):
        self.become_root()
        self.write("apt/sources.list.d/tuneproof-backports.list", "")
        self.fake_packages(**{n: v for n, v in ALL_PACKAGES.items() if n != "libfmt_dev"})
        self.assert_works(self.run_script("setup.sh", "--packages"))
        self.assertIn("install -y --no-install-recommends libfmt-dev\n", self.calls.read_text())

    def test_backports_are_copied_from_the_machines_own_deb822_entry(self):
        self.become_root()
        self.write("apt/sources.list.d/debian.sources", self.SOURCES + "\n" + self.SOURCES.replace("bookworm ", "x "))
        self.fake_packages(**{**ALL_PACKAGES, "catch2": "2.13.10-1"})
        self.assert_works(self.run_script("setup.sh", "--packages"))
        written = (self.root / "apt/sources.list.d/tuneproof-backports.sources").read_text()
        self.assertEqual(written.strip(), self.SOURCES.replace("bookworm bookworm-updates", "bookworm-backports").strip())
        self.assertIn("catch2/bookworm-backports", self.calls.read_text())

    def test_backports_are_copied_from_a_one_line_entry(self):
        self.become_root()
        self.write("apt/sources.list", "# deb old\ndeb [signed-by=/k.gpg] http://mirror.invalid/debian bookworm main\n")
        self.fake_packages(**{**ALL_PACKAGES, "catch2": "2.13.10-1"})
        self.assert_works(self.run_script("setup.sh", "--packages"))
        written = (self.root / "apt/sources.list.d/tuneproof-backports.list").read_text()
        self.assertEqual(written, "deb [signed-by=/k.gpg] http://mirror.invalid/debian bookworm-backports main\n")

    def test_without_backports_cmake_is_left_to_fetch_catch2(self):
        self.become_root()
        self.write("apt/sources.list.d/debian.sources", self.SOURCES)
        self.fake_packages(**{**ALL_PACKAGES, "catch2": "2.13.10-1"})
        self.fake("apt-cache", 'echo " catch2 | 2.13.10-1 | main"')
        result = self.run_script("setup.sh", "--packages")
        self.assert_works(result)
        self.assertIn("CMake will fetch it", result.stderr)
        self.assertFalse((self.root / "apt/sources.list.d/tuneproof-backports.sources").exists())

    def test_no_network_for_apt_is_told(self):
        self.become_root()
        self.fake_packages()
        failing = "echo 'E: Temporary failure resolving host'; exit 100"
        self.assert_refused(self.run_script("setup.sh", FAKE_APT=failing), "no network", "Debian packages")


if __name__ == "__main__":
    unittest.main()
