"""What `tuneproof export tensorboard` writes, read back by TensorBoard's own reader.

Usage: tensorboard.test.py TUNEPROOF PROJECT [unittest arguments]
TensorBoard comes from PyPI into .deps/tensorboard, in the version of scripts/versions.sh; exit 77 where it cannot.
TUNEPROOF_TENSORBOARD names a Python that has it already.
"""

import gzip
import json
import math
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

import pinned

PROGRAM, PROJECT = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
RUN = PROJECT / "results/cpu-amd-epyc-2-cores/2026-11-21-1697d9f.json.gz"
VERDICTS = {"helps": 1, "no_effect": 0, "hurts": -1, "inconclusive": math.nan}

pinned.run_inside("tensorboard", PROJECT, "tensorboard_wheels")
sys.path.append(str(PROJECT / "scripts"))

from tensorboard.backend.event_processing.event_accumulator import EventAccumulator  # noqa: E402
from tensorboard.backend.event_processing.event_file_loader import RawEventFileLoader  # noqa: E402
from tensorboard.compat.proto import event_pb2  # noqa: E402

from results_files import turned  # noqa: E402


def single(value):
    """As a float of four bytes, which event files hold."""
    return struct.unpack("f", struct.pack("f", value))[0]


def same(one, other):
    return one == other or (math.isnan(one) and math.isnan(other))


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tuneproof.")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def call(self, *arguments):
        said = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=600)
        self.assertEqual(said.returncode, 0, said.stderr)
        return said.stdout

    def read(self, run):
        reader = EventAccumulator(str(run), size_guidance={"scalars": 0, "tensors": 0})
        reader.Reload()
        return reader


class Runs(Folder):
    """Three sessions of one machine, the rows of each slower than those of the one before."""

    def setUp(self):
        super().setUp()
        self.sessions = [self.session(number) for number in range(3)]
        self.call("export", "tensorboard", *reversed(self.sessions), "-o", self.folder / "events")
        self.run_folder, = (self.folder / "events").iterdir()
        self.reader = self.read(self.run_folder)

    def session(self, number):
        content = json.loads(gzip.decompress(RUN.read_bytes()))
        block = content["tuneproof"]
        block["session"].update(id=f"s{number}", started=f"2026-01-0{number + 1}T00:00:00+00:00")
        for pair in block["pairs"]:
            for field in ["naive_ns", "optimized_ns"]:
                if field in pair["result"]:
                    pair["result"][field] *= 1 + number
        file = self.folder / f"s{number}.json"
        file.write_text(json.dumps(content))
        return file

    def expected(self):
        """{tag: [value of each session]}, from the files themselves."""
        scalars = {}
        for file in self.sessions:
            for pair in map(turned, json.loads(file.read_text())["tuneproof"]["pairs"]):
                result, add = pair["result"], lambda tag, value: scalars.setdefault(tag, []).append(value)
                if pair.get("metric", "wall_time") == "wall_time":
                    add(f"naive_ms/{pair['id']}", result["naive_ns"] / 1e6)
                    add(f"optimized_ms/{pair['id']}", result["naive_ns"] * result["ratio"] / 1e6)
                add(f"change_percent/{pair['id']}", 100 * (result["ratio"] - 1))
                if result["ratio_ci"] and not any(flag.startswith("only ") for flag in result["flags"]):
                    add(f"change_percent_low/{pair['id']}", 100 * (result["ratio_ci"][0] - 1))
                    add(f"change_percent_high/{pair['id']}", 100 * (result["ratio_ci"][1] - 1))
                add(f"verdict/{pair['id']}", VERDICTS.get(result["verdict"], math.nan))
        return scalars

    def test_every_scalar_is_found_with_its_value_step_and_time(self):
        expected = self.expected()
        self.assertGreater(len(expected), 60)
        self.assertEqual(sorted(self.reader.Tags()["scalars"]), sorted(expected))
        for tag, values in expected.items():
            found = self.reader.Scalars(tag)
            self.assertEqual([event.step for event in found], [0, 1, 2], tag)
            self.assertEqual([event.wall_time for event in found], [1767225600, 1767312000, 1767398400], tag)
            for event, value in zip(found, values):
                self.assertTrue(same(event.value, single(value)) or abs(event.value - value) <= 1e-6 * abs(value),
                                (tag, event.value, value))

    def test_tensorboards_own_messages_have_the_same_bytes(self):
        file, = self.run_folder.iterdir()
        records = list(RawEventFileLoader(str(file)).Load())
        self.assertGreater(len(records), 200)
        for record in records:
            self.assertEqual(event_pb2.Event.FromString(record).SerializeToString(), record)

    def test_what_a_verdict_means_stands_beside_it(self):
        tag = next(tag for tag in self.reader.Tags()["scalars"] if tag.startswith("verdict/"))
        self.assertIn("0: the same", self.reader.SummaryMetadata(tag).summary_description)

    def test_the_same_export_again_replaces_its_files(self):
        file, = self.run_folder.iterdir()
        before = file.read_bytes()
        self.call("export", "tensorboard", *self.sessions, "-o", self.folder / "events")
        self.assertEqual([path.read_bytes() for path in self.run_folder.iterdir()], [before])

    def test_a_session_that_is_given_twice_counts_once(self):
        self.call("export", "tensorboard", *self.sessions, self.sessions[0], "-o", self.folder / "twice")
        run, = (self.folder / "twice").iterdir()
        tag = next(iter(self.expected()))
        self.assertEqual([event.step for event in self.read(run).Scalars(tag)], [0, 1, 2])

    def test_another_class_of_machine_is_another_run(self):
        content = json.loads(self.sessions[0].read_text())
        content["tuneproof"]["fingerprint"]["hard"]["machine"]["logical_cpus"] = 64
        content["tuneproof"]["session"]["id"] = "elsewhere"
        other = self.folder / "other.json"
        other.write_text(json.dumps(content))
        self.call("export", "tensorboard", *self.sessions, other, "-o", self.folder / "both")
        self.assertEqual(len(list((self.folder / "both").iterdir())), 2)


class Training(Folder):
    """What a training writes while it goes on."""

    def test_every_third_step_and_each_validation_of_both_forms_are_found(self):
        self.call("run", "stgym/end_to_end/unit:epoch*", "--device", "cpu", "--seed", 1, "--budget", "5s", "--log", self.folder / "log",
                  "--log-every", 3)
        runs = {run.name: self.read(run) for run in (self.folder / "log/stgym").iterdir()}
        self.assertEqual(sorted(runs), ["inplace", "naive"])
        for reader in runs.values():
            self.assertEqual(sorted(reader.Tags()["scalars"]),
                             ["training/loss", "training/memory_mib", "training/samples_per_second", "training/waiting_share",
                              "validation/accuracy", "validation/loss"])
            values = {tag: [event.value for event in reader.Scalars(tag)] for tag in reader.Tags()["scalars"]}
            steps = {tag: [event.step for event in reader.Scalars(tag)] for tag in values}
            for tag, found in steps.items():  # two epochs of seven batches
                self.assertEqual(found, [7, 14] if tag.startswith("validation") else [3, 6, 9, 12], tag)
            self.assertTrue(all(0 <= share <= 1 for share in values["training/waiting_share"] + values["validation/accuracy"]))
            self.assertTrue(all(value > 0 for value in values["training/memory_mib"] + values["training/samples_per_second"]))
        first = [reader.Scalars("training/loss")[0].value for reader in runs.values()]
        self.assertAlmostEqual(*first, places=3)  # the forms see the same batches


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)
