"""A tip of one's own: examples/own_tip, built against an installed prefix outside of our tree, and its commands.

Usage: own_tip.test.py BUILD PROJECT CMAKE [unittest arguments].
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from memory_limit import sanitized

BUILD, PROJECT = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
CMAKE = sys.argv[3]
ROWS = ["vector/reserve/n:1000", "vector/reserve/n:100000"]

# Steps whose forms give another answer, that cannot run, and that ask for a device.
ODD = """
#include <memory>
#include <stdexcept>
#include <tuneproof.hpp>
#include <vector>
using namespace tuneproof;
Trial disagreeing(Setup&, const Point&) {
  return {.naive = [] {}, .optimized = [] {}, .clear = [] {},
          .answer = [](Form form) -> Answer { return std::vector<float>{form == Form::naive ? 1.0F : 2.0F}; }};
}
Trial throwing(Setup&, const Point&) { throw std::runtime_error("no such file"); }
constexpr Step a = tip({.id = "odd/disagreeing", .claim = "It helps.", .runs = Runs::host, .prepare = disagreeing});
constexpr Step b = tip({.id = "odd/throwing", .claim = "It helps.", .runs = Runs::host, .prepare = throwing});
constexpr Step c = tip({.id = "odd/device", .claim = "It helps.", .runs = Runs::cuda, .prepare = throwing});
int main(int argc, char** argv) { return program(argc, argv, {&a, &b, &c}); }
"""
WRONG = ODD.replace('"It helps."', '"It helps"', 1)


def ran(command, **more):
    return subprocess.run([str(part) for part in command], text=True, capture_output=True, timeout=600, **more)


class OwnTip(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="own_tip"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.do(CMAKE, "--install", BUILD, "--component", "library", "--prefix", cls.folder / "prefix")
        shutil.copytree(PROJECT / "examples/own_tip", cls.folder / "example")
        cls.program = cls.built("example")

    @classmethod
    def do(cls, *command):
        done = ran(command)
        assert done.returncode == 0, done.stdout + done.stderr
        return done

    @classmethod
    def configured(cls, name):
        source = cls.folder / name
        cls.do(CMAKE, "-S", source, "-B", source / "build", f"-DCMAKE_PREFIX_PATH={cls.folder / 'prefix'}")
        return source / "build"

    @classmethod
    def built(cls, name, program="own_tip"):
        build = cls.configured(name)
        cls.do(CMAKE, "--build", build)
        return build / program

    def with_source(self, name, text):
        shutil.copytree(PROJECT / "examples/own_tip", self.folder / name)
        (self.folder / name / "own_tip.cpp").write_text(text)

    def test_the_example_is_short(self):
        self.assertLess(len((PROJECT / "examples/own_tip/own_tip.cpp").read_text().splitlines()), 40)

    def test_its_steps_appear_in_its_list(self):
        listed = self.do(self.program, "list").stdout
        self.assertIn("vector/reserve", listed)
        self.assertNotIn("sync/", listed)
        self.assertNotIn("explain", listed, "it has no lessons")

    def test_an_output_that_cannot_be_written_is_told(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([self.program, "list"], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (1, "own_tip: the output could not be written\n"))

    def test_a_command_that_it_does_not_have_is_named_with_its_near_miss(self):
        for words, said in [(["rum"], "own_tip: unknown command 'rum'; did you mean 'run'?\n"),
                            (["benchmark"], "own_tip: unknown command 'benchmark'; see own_tip --help\n"),
                            (["run", "--jsn", "r"], "own_tip: run has no option '--jsn'; did you mean '--json'?\n"),
                            (["compare", "a", "b", "--junit", ""], "own_tip: compare: --junit is empty; give it a value or leave "
                             "it out\n"),
                            ([], "own_tip: a command is expected: list, run, compare or report\n")]:
            with self.subTest(words):
                done = ran([self.program, *words])
                self.assertEqual((done.returncode, done.stdout, done.stderr), (1, "", said))

    def test_its_rows_are_measured_recorded_compared_and_reported(self):
        results, page = self.folder / "r.json", self.folder / "r.html"
        run = self.do(self.program, "run", "--json", results, "--commit", "abc123")
        self.assertEqual(json.loads(results.read_text())["tuneproof"]["session"]["git"]["head"], "abc123")
        self.assertIn("reserve/n:1000", run.stdout)
        rows = json.loads(results.read_text())["tuneproof"]["pairs"]
        self.assertEqual([row["id"] for row in rows], ROWS)
        for row in rows:
            self.assertGreaterEqual(len(row["round_log_ratios"]), 3, "rounds up to the first early look")
        self.assertIn("2 rows", ran([self.program, "compare", results, results]).stdout)
        self.do(self.program, "report", results, "-o", page)
        self.assertIn("Reserving a vector", page.read_text())

    def test_two_builds_of_it_are_compared_in_one_measurement(self):
        done = ran([self.program, "compare", "--base", self.program, "--head", self.program])
        self.assertIn("vector/reserve/n:1000", done.stdout, done.stderr)
        self.assertRegex(done.stdout, r"\n(PASSED|NOT DECIDED): [^\n]*\n$")  # a busy machine may leave all rows open

    def test_the_gate_by_instructions_fails_a_doubled_form_and_passes_an_equal_one(self):
        if sanitized(self.program):
            self.skipTest("valgrind runs no program that AddressSanitizer is built into")
        once = "fill(std::move(numbers));"
        again = once + " numbers = {}; numbers.reserve(static_cast<std::size_t>(point[\"n\"])); " + once
        self.with_source("doubled", (PROJECT / "examples/own_tip/own_tip.cpp").read_text().replace(once, again))
        junit = self.folder / "r.xml"
        gate = [self.program, "compare", "--count", "instructions", "--junit", junit, "--base", self.program, "--head"]
        done = ran([*gate, self.program])
        if "instructions cannot be counted" in done.stderr:
            self.skipTest(done.stderr)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("PASSED: 2 rows compared", done.stdout)  # the short row, too
        done = ran([*gate, self.built("doubled")])
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"\nFAILED: 2 rows doing more[^\n]*\n$")
        self.assertEqual(junit.read_text().count("<failure"), 2)

    def test_a_benchmark_of_one_form_is_timed_and_gated(self):
        source = PROJECT / "examples/own_benchmark"
        shutil.copytree(source, self.folder / "one_form")
        base = self.built("one_form", "own_benchmark")
        done = self.do(base, "run", "my/sort/n:1000", "--pairs", "1", "--json", self.folder / "one.json")
        self.assertRegex(done.stdout, r"my/sort: this work\n +n:1000 +\S+ \w+ +- +timed\b")
        self.assertIn("1 row: 1 timed", done.stdout)
        self.assertRegex(done.stdout, r"(?m)^BENCHMARK +TIME +VERDICT$")
        self.assertNotRegex(done.stdout, "FROM|CHANGE")
        self.assertNotIn("Helps most", done.stdout)
        self.assertNotIn("Next: ", done.stdout)  # it has no such commands
        if sanitized(self.program):
            self.skipTest("valgrind runs no program that AddressSanitizer is built into")
        shutil.copytree(source, self.folder / "twice")
        text = (source / "own_benchmark.cpp").read_text()
        again = "std::ranges::generate(sorted, std::mt19937(8)); std::ranges::sort(sorted);"
        (self.folder / "twice/own_benchmark.cpp").write_text(text.replace("[[maybe_unused]]", again + " [[maybe_unused]]"))
        gate = [base, "compare", "my/sort/n:1000", "--count", "instructions", "--base", base, "--head"]
        done = ran([*gate, base])
        if "instructions cannot be counted" in done.stderr:
            self.skipTest(done.stderr)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertNotIn("naive", done.stdout)  # the fixed work beside it, which no two takes have alike
        done = ran([*gate, self.built("twice", "own_benchmark")])
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn("FAILED: 1 row doing more", done.stdout)
        self.assertNotIn("optimized", done.stdout)

    def test_an_optimized_build_is_not_compared_with_one_that_is_not(self):
        shutil.copytree(PROJECT / "examples/own_benchmark", self.folder / "debug")
        source = self.folder / "debug"
        self.do(CMAKE, "-S", source, "-B", source / "build", f"-DCMAKE_PREFIX_PATH={self.folder / 'prefix'}",
                "-DCMAKE_BUILD_TYPE=Debug")
        self.do(CMAKE, "--build", source / "build")
        shutil.copytree(PROJECT / "examples/own_benchmark", self.folder / "release")
        base = self.built("release", "own_benchmark")
        done = ran([base, "compare", "--base", base, "--head", source / "build/own_benchmark"])
        self.assertEqual((done.returncode, done.stdout), (3, ""), done.stdout + done.stderr)
        self.assertRegex(done.stderr, r"software\.build_type differs: \w+ in BASE, Debug in HEAD")

    def test_a_build_without_the_library_is_not_installed_by_half(self):
        build, prefix = self.folder / "unbuilt", self.folder / "nowhere"
        build.mkdir()
        script = (BUILD / "cmake_install.cmake").read_text()
        (build / "cmake_install.cmake").write_text(script.replace("libtuneproof_host.so", "libtuneproof_none.so"))
        done = ran([CMAKE, "--install", build, "--component", "library", "--prefix", prefix])
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("The library is not built; run first: cmake --build", re.sub(r"\s+", " ", done.stderr))
        self.assertFalse(prefix.exists())

    def test_a_step_that_fails_says_why_and_the_exit_code_tells(self):
        self.with_source("odd", ODD)
        program = self.built("odd")
        done = ran([program, "run", "--json", self.folder / "odd.json"])
        self.assertEqual(done.returncode, 1)
        errors = json.loads((self.folder / "odd.json").read_text())["tuneproof"]["errors"]
        said = {error["id"]: (error["verdict"], error["message"]) for error in errors}
        self.assertEqual(said["odd/throwing"], ("failed", "no such file"))
        self.assertEqual(said["odd/disagreeing"][0], "failed")
        self.assertEqual(said["odd/device"], ("skipped", "this program was built without CUDA"))

    def test_a_record_without_a_sentence_does_not_compile(self):
        self.with_source("wrong", WRONG)
        done = ran([CMAKE, "--build", self.configured("wrong")])
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("a claim is a sentence", done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[4:])
