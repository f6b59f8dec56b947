"""Counts of rows on the CPU, worked out by hand from the code of their forms, against those that a rehearsal takes.

An operator that calls others counts with them: add_(1) wraps the number in a tensor (8 bytes) and calls add_ with it.

Usage: counts.test.py TUNEPROOF [unittest arguments]
"""

import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest

PROGRAM = pathlib.Path(sys.argv[1])

# row: operators, blocks and bytes of the naive form, then of the optimized one
BY_HAND = {
    # 10 times: .to() returns its tensor (1), add_(1) (2 and a block of 8 bytes); without .to() the second part
    "transfer/to_noop/n:1024/device:cpu": ((30, 10, 80), (20, 10, 80)),
    # 50 times: a tensor of one float (empty; 4 bytes) is added; or the number is (as above)
    "transfer/scalar_tensor/cure:scalar/device:cpu": ((100, 50, 200), (100, 50, 400)),
    # full is empty and fill_ (3 in all, 4 bytes), then add_
    "transfer/scalar_tensor/cure:fill/device:cpu": ((100, 50, 200), (200, 50, 200)),
    # the tensor is there already: add_ alone
    "transfer/scalar_tensor/cure:cached/device:cpu": ((100, 50, 200), (50, 0, 0)),
    # 65536 values are 4 blocks; each has its cosine taken twice, in another order
    "launch/fuse_cos_cos/values:65536/device:cpu": ((8, 0, 0), (8, 0, 0)),
    # mul_out, erf_, add_(1) (2, 8 bytes), mul_, mul_(0.5) (2, 8 bytes); gelu_out alone
    "launch/fuse_pointwise_chain/values:4096/pass:forward/device:cpu": ((7, 2, 16), (1, 0, 0)),
    # 4 products and a cat; 4 products
    "launch/fuse_tiny_ops/pieces:4/values:1024/device:cpu": ((5, 0, 0), (4, 0, 0)),
    # zeros is empty and zero_ (3; one number of 8 bytes), .to(), cumsum (32 x 8 bytes), cat (33 x 8); cumsum_out
    "memory/alloc_out_variant/n:32/zero:on_device/device:cpu": ((6, 3, 528), (1, 0, 0)),
    "memory/alloc_out_variant/n:4096/zero:on_device/device:cpu": ((6, 3, 8 + 4096 * 8 + 4097 * 8), (1, 0, 0)),
    # 100 additions into a tensor that is there, or each into a new float; a loop without operators
    "launch/framework_overhead/values:1/call:add_out/device:cpu": ((100, 0, 0), (0, 0, 0)),
    "launch/framework_overhead/values:1/call:add/device:cpu": ((100, 100, 400), (0, 0, 0)),
}
NAMES = ("operators called", "blocks allocated", "memory allocated")


def rehearsed(folder):
    """The rows after the rehearsal: the run is stopped once its first round begins."""
    file = folder / "r.json"
    process = subprocess.Popen([PROGRAM, "run", *BY_HAND, "--device", "cpu", "--json", file], text=True,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    said = []
    for line in process.stderr:
        said.append(line)
        if line.startswith("[round 1/"):
            process.send_signal(signal.SIGINT)
    process.wait()
    assert process.returncode == 130, "".join(said)
    return json.loads(file.read_text())["tuneproof"]["pairs"]


class Counts(unittest.TestCase):
    def test_counts_of_eleven_rows_are_those_worked_out_by_hand(self):
        with tempfile.TemporaryDirectory() as folder:
            pairs = {pair["id"]: pair for pair in rehearsed(pathlib.Path(folder))}
        self.assertEqual(sorted(pairs), sorted(BY_HAND))
        for name, (naive, optimized) in BY_HAND.items():
            with self.subTest(row=name):
                figures = {figure["name"]: figure for figure in pairs[name]["figures"]}
                self.assertEqual(tuple(figures[n]["naive"] for n in NAMES), naive)
                self.assertEqual(tuple(figures[n]["optimized"] for n in NAMES), optimized)

    def test_the_file_says_which_form_does_less(self):
        with tempfile.TemporaryDirectory() as folder:
            pairs = {pair["id"]: pair["result"].get("counted_work") for pair in rehearsed(pathlib.Path(folder))}
        self.assertEqual(pairs["transfer/to_noop/n:1024/device:cpu"], "less")
        self.assertEqual(pairs["transfer/scalar_tensor/cure:fill/device:cpu"], "more")
        self.assertEqual(pairs["launch/fuse_cos_cos/values:65536/device:cpu"], "same")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
