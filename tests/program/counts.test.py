"""Counts of rows on the CPU, worked out by hand from the code of their forms, against those that a rehearsal takes.

An operator that calls others counts with them. x.add_(1) is six: add_ of a number wraps it in a tensor of 8 bytes and
calls add_ of a tensor, which converts it to the type of x: to, _to_copy, empty_strided (4 bytes of float) and copy_.

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
    # 10 times: .to() returns its tensor (1), add_(1); without .to() the second part
    "transfer/to_noop/n:1024/device:cpu": ((10 * 7, 20, 120), (10 * 6, 20, 120)),
    "transfer/to_noop/n:4194304/device:cpu": ((10 * 7, 20, 120), (10 * 6, 20, 120)),
    # 50 times: mul_out and five mul_ (6); mean_out, sum_out with as_strided and fill_, div_ by a number (4 + 6); .item()
    # is two, each time or once
    "sync/item_every_step/n:128/device:cpu": ((50 * 18, 100, 600), (50 * 16 + 2, 100, 600)),
    # 65536 values are 4 blocks, 16777216 are 1024; each has its cosine taken twice, in another order
    "launch/fuse_cos_cos/values:65536/device:cpu": ((8, 0, 0), (8, 0, 0)),
    "launch/fuse_cos_cos/values:16777216/device:cpu": ((2048, 0, 0), (2048, 0, 0)),
    # mul_out, erf_, mul_ (3), add_(1) and mul_(0.5) (6 each, 12 bytes); gelu_out alone
    "launch/fuse_pointwise_chain/values:4096/pass:forward/device:cpu": ((15, 4, 24), (1, 0, 0)),
    # 4 products and a cat; 4 products
    "launch/fuse_tiny_ops/pieces:4/values:1024/device:cpu": ((5, 0, 0), (4, 0, 0)),
    "launch/fuse_tiny_ops/pieces:4/values:262144/device:cpu": ((5, 0, 0), (4, 0, 0)),
    # zeros is empty and zero_ (3; one number of 8 bytes), .to() (1), cumsum with a .to() (2; 32 x 8 bytes), cat (1;
    # 33 x 8); cumsum_out with a .to() (2)
    "memory/alloc_out_variant/n:32/zero:on_device/device:cpu": ((7, 3, 528), (2, 0, 0)),
    "memory/alloc_out_variant/n:4096/zero:on_device/device:cpu": ((7, 3, 8 + 4096 * 8 + 4097 * 8), (2, 0, 0)),
    # 100 additions into a tensor that is there; a loop without operators
    "launch/framework_overhead/values:1/call:add_out/device:cpu": ((100, 0, 0), (0, 0, 0)),
}
NAMES = ("operators called", "blocks allocated", "memory allocated")


def rehearsed(folder, rows=tuple(BY_HAND)):
    """The rows after the rehearsal: the run is stopped once its first round begins."""
    file = folder / "r.json"
    with subprocess.Popen([PROGRAM, "run", *rows, "--device", "cpu", "--json", file], text=True,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        said = []
        for line in process.stderr:
            said.append(line)
            if line.startswith("[round 1/"):
                process.send_signal(signal.SIGINT)
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
        self.assertEqual(pairs["launch/fuse_cos_cos/values:65536/device:cpu"], "same")

    def test_a_row_whose_workers_call_operators_has_no_counts(self):
        row = "unet/workers/unit:epoch/device:cpu"
        with tempfile.TemporaryDirectory() as folder:
            [pair] = rehearsed(pathlib.Path(folder), [row])
        self.assertNotEqual(pair["figures"], [])  # the floor: it did rehearse
        self.assertEqual([figure["name"] for figure in pair["figures"] if figure["name"] in NAMES], [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
