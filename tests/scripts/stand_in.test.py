"""scripts/stand_in.sh on a made-up build: what it hands to the program, and that wrong use is one sentence."""

import unittest

from fake_machine import FakeMachine

LIBRARIES = ["libcudart.so.13", "libcuda.so.1", "libcupti.so.13", "libnvidia-ml.so.1"]
PROGRAM = """#!/bin/sh
echo "preload ${LD_PRELOAD##*/project/} arguments $*"
env | grep ^STAND_IN_ | sort
exit 7
"""


class StandIn(FakeMachine):
    def setUp(self):
        super().setUp()
        self.program = self.write("project/build/tuneproof", PROGRAM)
        self.program.chmod(0o755)
        for name in LIBRARIES:
            self.write(f"project/build/stand_in/{name}", "")

    def call(self, *arguments):
        return self.run_script("stand_in.sh", *map(str, arguments))

    def refused(self, sentence, *arguments):
        said = self.call(*arguments)
        self.assertEqual((said.returncode, said.stdout, said.stderr), (1, "", f"tuneproof: {sentence}\n"))

    def test_the_program_gets_the_three_libraries_its_arguments_and_the_options_and_gives_its_exit_code(self):
        said = self.call("--profile", "two", "--seed", "3", "--delay", "20", "--record", self.root / "file", "--lazy",
                         "tuneproof", "run", "a b",
                         "--seed", "4")
        self.assertEqual(said.returncode, 7, said.stderr)
        first, *options = said.stdout.splitlines()
        self.assertEqual(first, "preload build/stand_in/libnvidia-ml.so.1 arguments run a b --seed 4")
        self.assertEqual(options, ["STAND_IN_DELAY_US=20", "STAND_IN_LAZY=1", "STAND_IN_PROFILE=two", f"STAND_IN_RECORD={self.root}/file",
                                   "STAND_IN_SEED=3"])

    def test_a_program_elsewhere_is_named_by_its_path(self):
        self.assertEqual(self.call(self.program).returncode, 7)

    def test_help(self):
        said = self.call("--help")
        self.assertEqual((said.returncode, said.stderr), (0, ""))
        self.assertIn("--profile NAME", said.stdout)

    def test_wrong_use_is_one_sentence(self):
        profiles = "(have: small old old70 two busy refuses)."
        for sentence, *arguments in [
                ["which program? For example: scripts/stand_in.sh tuneproof run 'sync/*'."],
                ["stand_in.sh does not know '--what'; try --help.", "--what", "tuneproof"],
                ["--profile needs a value (have: '').", "--profile"],
                [f"unknown profile 'wrong' {profiles}", "--profile", "wrong", "tuneproof"],
                ["--seed takes a whole number (have: 'x').", "--seed", "x", "tuneproof"],
                ["--refuse needs --profile refuses.", "--refuse", "3", "tuneproof"],
                ["--refuse counts from 1 (have: '0').", "--profile", "refuses", "--refuse", "0", "tuneproof"],
                ["gone/file cannot be written (--record).", "--record", "gone/file", "tuneproof"],
                ["--delay needs --seed.", "--delay", "3", "tuneproof"],
                [f"program {self.root}/project/build/gone not found; run scripts/build.sh first.", "gone"],
                ["./gone is not a program.", "./gone"]]:
            with self.subTest(arguments):
                self.refused(sentence, *arguments)

    def test_a_build_without_the_stand_in_is_one_sentence(self):
        (self.root / "project/build/stand_in" / LIBRARIES[1]).unlink()
        self.refused(f"the stand-in is not built in {self.root}/project/build; run scripts/build.sh first.", "tuneproof")


if __name__ == "__main__":
    unittest.main()
