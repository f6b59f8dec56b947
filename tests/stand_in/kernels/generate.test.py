"""What generate.py makes of a .cu file, and what it refuses.

Usage: generate.test.py
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

GENERATE = pathlib.Path(__file__).parents[3] / "stand_in/kernels/generate.py"
FILE = """namespace some::space {
namespace {

%s

__global__ void twice(float* values) {
  %s
}

}  // namespace

void launch(float* values) { twice<<<1, 1>>>(values); }

}  // namespace some::space
"""


def generate(body, before=""):
    """Exit code, message and output for a file with this kernel."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "file.cu").write_text(FILE % (before, body))
        done = subprocess.run([sys.executable, GENERATE, folder, "file.cu", folder / "out.cpp"], text=True,
                              capture_output=True)
        out = folder / "out.cpp"
        return done.returncode, done.stderr, out.read_text() if out.exists() else ""


class Generate(unittest.TestCase):
    def test_a_kernel_is_announced_and_the_hosts_functions_are_left_out(self):
        code, _, out = generate("values[threadIdx.x] *= 2;")
        self.assertEqual(code, 0)
        self.assertIn('add_kernel("file", "twice"', out)
        self.assertIn("values[stand_in::kernels::here().thread.x] *= 2;", out)
        self.assertNotIn("launch", out)

    def test_shared_memory_begins_as_NaN(self):
        _, _, out = generate("__shared__ float part[32];")
        self.assertIn("auto& part = *static_cast<shared_part*>(stand_in::kernels::shared_memory(", out)

    def test_shared_memory_is_aligned_as_it_is_declared(self):
        self.assertIn("alignof(shared_part)));", generate("__shared__ float part[32];")[2])
        self.assertIn("sizeof(shared_part), 16));", generate("alignas(16) __shared__ float part[32];")[2])

    def test_a_constant_variable_is_announced(self):
        _, _, out = generate(";", "__constant__ float table[4];")
        self.assertIn('add_variable("file", "table", &table)', out)

    def test_a_word_that_it_does_not_know_is_refused_by_name(self):
        for body in ["values[0] = __ldg(values);", "extern __shared__ float s[];", 'asm("exit;");',
                     "twice<<<1, 1>>>(values), 0;  __nanosleep(1);"]:
            code, message, out = generate(body)
            with self.subTest(body):
                self.assertEqual(code, 1)
                self.assertIn("file.cu: does not know", message)
                self.assertEqual(out, "")


if __name__ == "__main__":
    unittest.main()
