"""`tuneproof train` from outside: a small training of each kind, its lines, and wrong settings.

Usage: train.test.py TUNEPROOF [unittest arguments].
"""

import pathlib
import re
import subprocess
import sys
import unittest

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
LONG = 600


def train(*words):
    return subprocess.run([PROGRAM, "train", *words, "--device", "cpu", "--threads", "1"], text=True, capture_output=True,
                          timeout=LONG)


class Train(unittest.TestCase):
    def assert_trained(self, done):
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for line in [r"part 8/8: \S+ \S+ a sample", r"sample \S+ s", r"step \S+ s, \d+ samples", r"epoch \S+ s, \d+ samples",
                     r"peak memory \S+ \S+", r"loss \d\S*"]:
            self.assertRegex(done.stdout, f"(?m)^{line}$")

    def test_a_model_trains_and_says_what_it_took(self):
        done = train("gpt", "batch_size=4", "samples=32", "workers=1")
        self.assert_trained(done)
        self.assertIn("s, 4 samples", done.stdout)

    def test_stgym_trains_and_says_what_it_took(self):
        self.assert_trained(train("stgym", "epochs=8", "--scale", "0.001"))

    def test_graphsage_trains_and_says_what_it_took(self):
        done = train("sage", "batch_size=8", "samples=64", "workers=1", "--scale", "0.002")
        self.assert_trained(done)
        self.assertIn("s, 8 samples", done.stdout)

    def test_the_same_training_ends_at_the_same_loss(self):
        first, second = (re.search(r"(?m)^loss (\S+)$", train("gpt", "batch_size=4", "samples=32").stdout)[1] for _ in range(2))
        self.assertEqual(first, second)

    def test_an_output_that_cannot_be_written_is_told(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([PROGRAM, "train", "gpt", "batch_size=4", "samples=32", "--device", "cpu", "--threads", "1"],
                                  stdout=full, stderr=subprocess.PIPE, text=True, timeout=LONG)
        self.assertEqual(done.returncode, 1)
        self.assertIn("the output could not be written", done.stderr)

    def test_wrong_use_is_one_sentence(self):
        for words, sentence in [(["gtp"], "train gtp: expected one of stgym, gpt, resnet50, sage, unet"),
                                (["gpt", "workers"], "expected a setting such as batch_size=32"),
                                (["gpt", "workers=1", "workers=2"], "workers is set twice"),
                                (["gpt", "colour=red"], "colour=red: there is no such setting; there are accumulation"),
                                (["gpt", "batch_size=0"], "batch_size=0 is not a whole number from 1"),
                                (["gpt", "precision=fp8"], "expected one of fp32, bf16"),
                                (["gpt", "accumulation=32"], "a batch has fewer samples than parts")]:
            with self.subTest(words=words):
                done = train(*words)
                self.assertEqual((done.returncode, done.stdout), (1, ""), done.stderr)
                self.assertIn(sentence, done.stderr)
                self.assertEqual(len(done.stderr.splitlines()), 1)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]] + sys.argv[2:])
