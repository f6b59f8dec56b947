"""`tuneproof run --predict` and `tuneproof scorecard` with the real worker.

Usage: predict.test.py TUNEPROOF PROJECT [unittest arguments]
"""

import copy
import gzip
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

try:
    import jsonschema
except ImportError:
    print("skipped: the Python package jsonschema is not installed")
    sys.exit(77)

PROGRAM, PROJECT = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
SCHEMA = json.loads((PROJECT / "results/schema/results.schema.json").read_text())
ROW = "launch/fuse_tiny_ops/pieces:4/values:1024/device:cpu"
PATIENCE = 600
HALF = PROJECT / "results/cpu-amd-epyc-1-core-half-speed/2026-11-24-8d1c7b4-test.json.gz"
PRICES = sorted((PROJECT / "results").glob("*/prices-*.json"))[-1]  # of before prices told their place


def shipped(rests_on, machine_class=None):
    """How many misses of other steps the program brings along: of that class of machine, else of all."""
    misses = json.loads((PROJECT / "harness/predict/shipped_misses.json").read_text())["misses"]
    return sum(miss["rests_on"] == rests_on and miss["step"] != "launch/fuse_tiny_ops" and
               machine_class in (None, miss["machine_class"]) for miss in misses)


def last_basis(prediction):
    """What the interval rests on."""
    return "another machine" if "elsewhere" in prediction else "operators run again"


class Folder(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="tuneproof."))
        cls.addClassCleanup(shutil.rmtree, cls.folder)

    @classmethod
    def call(cls, *arguments, **environment):
        kept = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "COLUMNS")}
        return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=PATIENCE,
                              cwd=cls.folder, env={**kept, "XDG_CACHE_HOME": str(cls.folder / "cache"),
                                                   "OMP_NUM_THREADS": "1", **environment})

    def refused(self, arguments, sentence):
        said = self.call(*arguments)
        self.assertEqual((said.returncode, said.stdout), (1, ""), said)
        self.assertIn(sentence, said.stderr)
        self.assertEqual(said.stderr.count("\n"), 1, said.stderr)


class Predict(Folder):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.said = cls.call("run", ROW, "--predict", "--prices", "prices.json", "--json", "r.json", "--threads", 1)

    def row(self):
        return json.loads((self.folder / "r.json").read_text())["tuneproof"]["pairs"][0]

    def test_the_row_is_predicted_measured_and_stored_by_the_schema(self):
        self.assertEqual(self.said.returncode, 0, self.said.stderr)
        document = json.loads((self.folder / "r.json").read_text())
        jsonschema.Draft202012Validator(SCHEMA).validate(document)
        prediction = self.row()["prediction"]
        self.assertIn("removes", prediction)
        if "reason" not in prediction:
            self.assertLessEqual(prediction["ci_ns"][0], prediction["saving_ns"])
            self.assertLessEqual(prediction["saving_ns"], prediction["ci_ns"][1])
            self.assertIn("measured", prediction)

    def test_four_pieces_that_need_not_be_joined_are_one_operator_fewer_which_is_run_again(self):
        removes = {work["what"]: work["count"] for work in self.row()["prediction"]["removes"]}
        self.assertEqual(removes, {"operators run again": 1})

    def test_the_table_shows_the_prediction_beside_the_measurement(self):
        self.assertIn("PREDICTED TO SAVE, A RUN", self.said.stdout)
        self.assertRegex(self.said.stdout, "removes 1 operators run again|no prediction: ")
        for line in self.said.stdout.splitlines():
            self.assertLessEqual(len(line), 100, line)

    def test_how_far_the_prediction_was_off_is_kept_and_calibrates_no_row_of_the_same_step(self):
        if "measured" not in self.row()["prediction"]:
            self.skipTest("this machine's prices do not describe the row")
        (kept,) = (self.folder / "cache/tuneproof/misses").iterdir()
        misses, prediction = json.loads(kept.read_text())["misses"], self.row()["prediction"]
        self.assertEqual({miss["step"] for miss in misses}, {"launch/fuse_tiny_ops"})
        self.assertEqual([miss["rests_on"] for miss in misses],
                         ["operators run again"] + ["another machine"] * ("elsewhere" in prediction))
        basis, here = last_basis(prediction), misses[0]["machine_class"]
        self.assertIn(prediction["earlier_rows"], [shipped(basis), shipped(basis, here)])

    def test_a_row_of_another_machine_stands_beside_what_was_counted_here(self):
        document = json.loads((self.folder / "r.json").read_text())["tuneproof"]
        here, prediction = document["fingerprint"]["hard"]["machine"], self.row()["prediction"]
        sessions = json.loads((PROJECT / "harness/predict/shipped_rows.json").read_text())["sessions"]
        known = [session for session in sessions if ROW in session["saved"] and
                 any(session["machine"][fact] != here[fact] for fact in here if fact in session["machine"])]
        if "reason" in prediction:
            self.skipTest("nothing was predicted")
        if not known:
            self.assertNotIn("elsewhere", prediction)
            return
        newest = max(known, key=lambda session: session["started"])
        self.assertEqual(prediction["elsewhere"]["started"], newest["started"])
        self.assertEqual(prediction["elsewhere"]["share"], newest["saved"][ROW])
        self.assertAlmostEqual(prediction["saving_ns"], newest["saved"][ROW] * prediction["below_ns"], places=3)
        self.assertIn("by counts here", self.said.stdout)

    def test_enough_kept_misses_of_other_steps_make_the_interval(self):
        folder = self.folder / "cache/tuneproof/misses"
        if not folder.is_dir():
            self.skipTest("this machine's prices do not describe the row")
        (kept,) = folder.iterdir()
        document = json.loads(kept.read_text())
        document["misses"] = [{**miss, "step": "sync/item", "size": 0.01} for miss in document["misses"]] * 9
        here = document["misses"][0]["machine_class"]
        for name, text in [("ours.json", json.dumps(document)), ("broken.json", "{")]:
            (folder / name).write_text(text)
            self.addCleanup((folder / name).unlink)
        said = self.call("run", ROW, "--predict", "--prices", "prices.json", "--threads", 1, "--budget", "1s",
                         "--json", "wide.json")
        self.addCleanup((self.folder / "wide.json").unlink)
        self.assertIn("left out: ", said.stderr)
        self.assertIn("broken.json", said.stderr)
        prediction = json.loads((self.folder / "wide.json").read_text())["tuneproof"]["pairs"][0]["prediction"]
        if "reason" not in prediction:
            self.assertEqual(prediction["earlier_rows"], 9 + shipped(last_basis(prediction), here))

    def test_no_trace_is_left_behind(self):
        self.assertEqual(sorted(path.name for path in self.folder.iterdir() if path.name != "cache"),
                         ["prices.json", "r.json"])

    def test_prices_are_read_again_while_their_place_holds(self):
        before = (self.folder / "prices.json").stat().st_mtime_ns
        said = self.call("run", ROW, "--predict", "--prices", "prices.json", "--threads", 1, "--budget", "1s")
        self.assertIn("prices of ", said.stderr)
        self.assertNotIn("measuring the prices", said.stderr)
        self.assertEqual((self.folder / "prices.json").stat().st_mtime_ns, before)

    def test_prices_of_another_place_are_refused_and_left_alone(self):
        for name, change, sentence in [("other.json", {"fingerprint": "sha256:0"}, "from another machine"),
                                       ("threads.json", {"threads": "7"}, "with 7 threads, but this run has 1")]:
            document = json.loads((self.folder / "prices.json").read_text())
            document["context"].update(change)
            text = json.dumps(document)
            (self.folder / name).write_text(text)
            self.addCleanup((self.folder / name).unlink)
            said = self.call("run", ROW, "--predict", "--prices", name, "--threads", 1)
            self.assertEqual(said.returncode, 1)
            self.assertIn(sentence, said.stderr)
            self.assertEqual((self.folder / name).read_text(), text)

    def test_prices_without_predictions_are_a_mistake(self):
        self.refused(["run", ROW, "--prices", "prices.json"], "--predict")

    def test_a_scorecard_of_one_row_says_that_it_is_too_few(self):
        if "reason" in self.row()["prediction"]:
            self.skipTest("this machine's prices do not describe the row")
        said = self.call("scorecard", "r.json")
        self.assertEqual((said.returncode, said.stderr), (0, ""))
        self.assertIn("too few predictions", said.stdout)


def predicted(pair, saved, low, high):
    """The pair as if that had been predicted: shares of its naive form's time."""
    below = pair["result"]["naive_ns"]
    pair["prediction"] = {"saving_ns": saved * below, "ci_ns": [low * below, high * below], "hidden_ns": 0,
                          "explained": 0.9, "below_ns": below,
                          "removes": [{"what": "operator calls", "count": 1, "amount": 0, "saving_ns": saved * below,
                                       "ci_ns": [low * below, high * below]}]}


class Scorecard(Folder):
    BASE = json.loads(gzip.decompress((PROJECT / "results/cpu-amd-epyc-2-cores/2026-11-21-1697d9f.json.gz").read_bytes()))

    def write(self, name, change):
        document = copy.deepcopy(self.BASE)
        document["tuneproof"]["schema_version"]["minor"] = 6
        document["tuneproof"]["session"]["id"] = name
        for pair in document["tuneproof"]["pairs"]:
            change(pair)
        jsonschema.Draft202012Validator(SCHEMA).validate(document)
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(document))
        return path

    def right(self, pair):
        ratio, (low, high) = pair["result"]["ratio"], pair["result"]["ratio_ci"]
        predicted(pair, 1 - ratio, 1 - high, 1 - low)

    def wrong(self, pair):
        predicted(pair, 0.99, 0.985, 0.995)

    def test_right_predictions_keep_the_promise(self):
        said = self.call("scorecard", self.write("right.json", self.right))
        self.assertEqual((said.returncode, said.stderr), (0, ""))
        self.assertIn("keep their promise", said.stdout)
        self.assertNotIn("Do not trust", said.stdout)

    def test_wrong_predictions_are_not_to_be_trusted_and_are_listed(self):
        said = self.call("scorecard", self.write("wrong.json", self.wrong))
        self.assertEqual(said.returncode, 0)
        self.assertIn("Do not trust the predictions here", said.stdout)
        self.assertIn("stgym/single_tail", said.stdout)
        for line in said.stdout.splitlines():
            self.assertLessEqual(len(line), 100, line)

    def test_a_folder_may_hold_other_files_and_copies(self):
        path = self.write("all/a.json", self.right)
        shutil.copy(path, path.with_name("b.json"))
        shutil.copy(PRICES, path.parent)
        said = self.call("scorecard", "all", "--json", "-")
        self.assertEqual((said.returncode, said.stderr), (0, ""))
        card = json.loads(said.stdout)
        self.assertEqual(card["all"]["rows"], len(self.BASE["tuneproof"]["pairs"]))
        self.assertEqual(card["all"]["coverage"], 1)
        self.assertEqual(card["trust"], "yes")
        self.assertAlmostEqual(card["all"]["median_absolute_error"], 0, places=6)

    def test_a_scorecard_never_takes_the_place_of_the_results(self):
        path = self.write("kept.json", self.right)
        before = path.read_bytes()
        self.refused(["scorecard", path, "--json", path], "would overwrite")
        self.assertEqual(path.read_bytes(), before)

    def test_the_shipped_misses_and_rows_are_those_of_the_results(self):
        said = self.call("scorecard", PROJECT / "results", "--misses", "misses.json", "--rows", "rows.json")
        self.assertEqual((said.returncode, said.stderr), (0, ""))
        for kind in ["misses", "rows"]:
            self.assertEqual(json.loads((self.folder / f"{kind}.json").read_text()),
                             json.loads((PROJECT / f"harness/predict/shipped_{kind}.json").read_text()), kind)
        self.assertIn("another machine, checked by counts", said.stdout)

    def test_what_other_machines_saved_comes_from_shipped_rows_where_one_file_is_scored(self):
        document = json.loads(gzip.decompress(HALF.read_bytes()))
        (self.folder / "half.json").write_text(json.dumps(document))
        said = self.call("scorecard", "half.json", "--json", "-")
        self.assertEqual((said.returncode, said.stderr), (0, ""))
        rules = {rival["rule"]["of"]: rival["rule"]["rows"] for rival in json.loads(said.stdout)["rivals"]}
        self.assertGreaterEqual(rules["as on another machine"], 40)
        self.assertEqual(rules["as on another machine"], rules["another machine, checked by counts"])

    def test_only_the_json_is_printed_and_each_output_has_a_file_of_its_own(self):
        path = self.write("outputs.json", self.right)
        for arguments, sentence in [(["--misses", "-"], "--misses -: only --json prints"),
                                    (["--rows", "-"], "--rows -: only --json prints"),
                                    (["--json", "one", "--rows", "./one"], "--json and --rows both name ./one")]:
            self.refused(["scorecard", path, *arguments], sentence)
        self.assertFalse((self.folder / "one").exists())

    def test_a_place_without_results_is_named(self):
        (self.folder / "bare").mkdir()
        self.refused(["scorecard", "bare"], "bare: 0 results files and no prediction")
        self.refused(["scorecard"], "there is no folder results here")

    def test_files_without_predictions_and_other_files_are_told_apart(self):
        self.refused(["scorecard", PROJECT / "results/cpu-amd-epyc-2-cores/2026-11-21-1697d9f.json.gz"],
                     "1 results file and no prediction")
        self.refused(["scorecard", PRICES],
                     "not a results file")
        self.refused(["scorecard", "nowhere.json"], "nowhere.json")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
