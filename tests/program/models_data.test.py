"""`tuneproof run` on data of the user's own: CIFAR-10's files for ResNet-50, a folder of images for the U-Net, of a graph
for GraphSAGE.

Usage: models_data.test.py TUNEPROOF [unittest arguments]
"""

import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = pathlib.Path(sys.argv[1])
PATIENCE = 900  # on a machine that builds eight programs at once, too
CIFAR_FILES = [f"data_batch_{i}.bin" for i in range(1, 6)] + ["test_batch.bin"]


def call(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=PATIENCE, check=False)


def records(count, seed):
    """CIFAR-10's: a label's byte, then 32 x 32 of red, of green, of blue."""
    draw = random.Random(seed)
    return b"".join(bytes([draw.randrange(10)]) + draw.randbytes(3072) for _ in range(count))


class OwnData(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def cifar10(self):
        for i, name in enumerate(CIFAR_FILES):
            (self.folder / name).write_bytes(records(20, i))

    def images(self):
        draw = random.Random(1)
        for i in range(12):
            (self.folder / f"{i}.pgm").write_bytes(b"P5\n40 36\n255\n" + draw.randbytes(40 * 36))

    def measured(self, file, *arguments):
        """What the file holds as soon as it holds a row: the run is interrupted then, however slow the machine is."""
        run = subprocess.Popen([PROGRAM, "run", *arguments, "--json", file], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        end = time.monotonic() + PATIENCE
        while run.poll() is None and time.monotonic() < end and not (file.exists() and self.block(file)["pairs"]):
            time.sleep(0.05)
        run.send_signal(signal.SIGINT)
        said = run.communicate(timeout=PATIENCE)[1]
        self.assertIn(run.returncode, (0, 128 + signal.SIGINT), said)
        return self.block(file), said

    def block(self, file):
        return json.loads(file.read_text(encoding="utf-8"))["tuneproof"]

    def trains(self, row, option):
        results, said = self.measured(self.folder / "r.json", row, option, self.folder, "--device", "cpu")
        self.assertEqual((len(results["pairs"]), results["errors"]), (1, []), said)
        # The rehearsal has trained a step of both forms and counted it.
        self.assertIn("floor", [figure["name"] for figure in results["pairs"][0]["figures"]])
        self.assertEqual(results["session"]["options"][option.removeprefix("--")], str(self.folder))

    def refused(self, row, option, sentence, value=None):
        file = self.folder / "refused.json"
        said = call("run", row, option, value or self.folder, "--device", "cpu", "--budget", "1s", "--json", file)
        self.assertEqual(said.returncode, 1, said.stderr)
        self.assertIn(sentence, said.stdout + said.stderr)

    def test_resnet50_trains_on_cifar_10s_six_files(self):
        self.cifar10()
        self.trains("resnet50/gradients_to_none", "--cifar10")

    def test_a_cifar_10_file_that_is_cut_empty_or_missing_is_named(self):
        self.cifar10()
        file = self.folder / "data_batch_3.bin"
        whole = file.read_bytes()
        row = "resnet50/gradients_to_none"
        for content, sentence in [(whole[:-5], "61455 bytes are not a whole number of CIFAR-10's records of 3073 bytes"),
                                  (b"", "the file is empty"),
                                  (b"\x0b" + whole[1:], "record 1: the label 11 is not one of 0 to 9")]:
            file.write_bytes(content)
            self.refused(row, "--cifar10", f"{file}: {sentence}")
        file.unlink()
        self.refused(row, "--cifar10", f"{file}: cannot be read: No such file or directory")
        file.mkdir()
        self.refused(row, "--cifar10", f"{file}: is a folder, not a file")
        file.rmdir()
        os.mkfifo(file)
        self.refused(row, "--cifar10", f"{file}: is not a regular file")

    def test_the_unet_trains_on_a_folder_of_images(self):
        self.images()
        self.trains("unet/gradients_to_none", "--images")

    def test_an_image_that_is_cut_and_a_folder_without_images_are_named(self):
        self.refused("unet/gradients_to_none", "--images",
                     f"{self.folder}: 0 PNG or PGM images are too few; training and validation take one each")
        self.images()
        (self.folder / "3.pgm").write_bytes(b"P5\n40 36\n255\n123")
        self.refused("unet/gradients_to_none", "--images",
                     f"{self.folder / '3.pgm'}: the file ends before its 40 x 36 pixels do")

    def test_data_too_small_for_a_batch_is_named_with_what_there_is_and_what_a_batch_takes(self):
        text = self.folder / "small.txt"
        text.write_bytes(b"abcdefghijklm" * 100)
        self.refused("gpt/log_every_n", "--text", f"{text}: there are 10 pieces of 64 characters to learn from, "
                     "and a batch takes 16", text)
        for i, name in enumerate(CIFAR_FILES):
            (self.folder / name).write_bytes(records(1, i))
        self.refused("resnet50/log_every_n", "--cifar10",
                     f"{self.folder}: there are 5 images to learn from, and a batch takes 8")
        for name in ("a.pgm", "b.pgm"):
            (self.folder / name).write_bytes(b"P5\n1 1\n255\nx")
        self.refused("unet/log_every_n", "--images",
                     f"{self.folder}: there are 1 images to learn from, and a batch takes 4")

    def test_a_batch_is_as_large_as_was_asked_for_or_refused(self):
        self.refused("gpt/log_every_n", "--batch-size", "pieces of 64 characters to learn from, and a batch takes 2048", "2048")
        self.refused("gpt/checkpoint_batch", "--memory", "--memory: '-1G' is not a size like 512M or 2G", "-1G")
        self.refused("gpt/log_every_n", "--batch-size", "--batch-size: '0' is not a whole number from 1 to 1000000", "0")

    def graph(self, nodes):
        for name, line in [("edge", "{},{}"), ("node-feat", "{},0.5"), ("node-label", "{}")]:
            rows = [line.format(node, (node + 1) % nodes) for node in range(nodes)]
            (self.folder / f"{name}.csv").write_text("\n".join(rows), encoding="ascii")

    def test_graphsage_trains_on_a_folder_with_a_graph(self):
        self.graph(200)
        self.trains("sage/log_every_n", "--graph")

    def test_a_graph_that_is_too_small_or_incomplete_is_named(self):
        self.graph(20)
        self.refused("sage/log_every_n", "--graph", f"{self.folder}: nodes to learn from: 18, and a batch takes 128")
        with (self.folder / "edge.csv").open("a", encoding="ascii") as edges:
            edges.write("\n7,20\n")
        self.refused("sage/log_every_n", "--graph", f"{self.folder / 'edge.csv'}, line 21: node 20 is not one of 0 to 19")
        (self.folder / "edge.csv").unlink()
        self.refused("sage/log_every_n", "--graph", f"{self.folder / 'edge.csv'}: cannot be read: No such file or directory")

    def test_a_folder_in_the_place_of_a_text_is_named(self):
        self.refused("gpt/log_every_n", "--text", f"{self.folder}: is a folder, not a file")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
