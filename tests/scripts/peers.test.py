"""scripts/peers: what others' programs print becomes lines, each once, and the page sets them beside rows of the same work."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

PEERS = pathlib.Path(__file__).resolve().parents[2] / "scripts/peers"
# In place of Python: notes its call, and prints a line for each form that it was asked for, behind a warning.
PYTHON = """#!/bin/bash
echo "$OMP_NUM_THREADS $PYTHONPATH $*" >>"$CALLS"
echo "a warning"
case $2 in
  *stgym_step.py) echo "{\\"peer\\": \\"stgym\\", \\"form\\": \\"$4\\", \\"threads\\": 1}" ;;
  *) for form in "${@:9}"; do echo "{\\"peer\\": \\"$5\\", \\"form\\": \\"$form\\"$FAILED}"; done ;;
esac
exit "${FAKE_EXIT:-0}"
"""
H1 = {"name": "H1"}


class Peers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.python = self.folder / "python"
        self.python.write_text(PYTHON)
        self.python.chmod(0o755)
        (self.folder / "kit/packages").mkdir(parents=True)
        self.out = self.folder / "peers.jsonl"
        (self.folder / "calls").touch()

    def call(self, script, *arguments, **environment):
        return subprocess.run([sys.executable, "-B", PEERS / script, *map(str, arguments)], capture_output=True, text=True,
                              env={"PATH": "/usr/bin:/bin", "CALLS": str(self.folder / "calls"), **environment}, timeout=60, check=False)

    def measure(self, what, **environment):
        return self.call("measure.py", what, "--kit", self.folder / "kit", "--out", self.out, "--python", self.python,
                         **environment)

    def lines(self):
        return [json.loads(line) for line in self.out.read_text().splitlines()]

    def write(self, name, content):
        path = self.folder / "results" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n".join(map(json.dumps, content)) if name.endswith("l") else json.dumps(content))

    def run_of(self, rows, uuid="GPU-1", scale=None, figures=(), device="cuda:0"):
        return {"tuneproof": {
            "session": {"started": "2026-11-27", "options": {"scale": scale} if scale else {}, "device": device, "git": {"head": "abcdef1234567"}},
            "fingerprint": {"hard": {"machine": {"gpu": H1}}, "info": {"gpu_uuid": uuid}},
            "pairs": [{"id": row, "device": device, "figures": list(figures),
                       "result": {"naive_ns": naive * 1e6, "optimized_ns": optimized * 1e6}} for row, naive, optimized in rows]}}

    def line(self, peer, form, ms, **more):
        return {"peer": peer, "form": form, "device": "cuda", "card": "H1", "uuid": "GPU-1", "torch": "2.11.0", "threads": 1,
                "queued_ms": [ms], "waited_ms": 2 * ms, **more}

    def page(self):
        said = self.call("page.py", self.folder / "results")
        self.assertEqual(said.returncode, 0, said.stderr)
        return said.stdout

    def test_each_form_of_STGym_has_a_process_of_its_own_and_one_of_them_one_thread(self):
        self.assertEqual(self.measure("stgym").returncode, 0)
        self.assertEqual([line["form"] for line in self.lines()], ["first", "last", "first, one thread"])
        calls = (self.folder / "calls").read_text().splitlines()
        self.assertEqual([call.split(" ")[0] for call in calls], ["", "", "1"])
        self.assertEqual(["anomaly" in call for call in calls], [True, False, True])
        self.assertIn(str(self.folder / "kit/packages"), calls[0])

    def test_called_again_it_measures_only_what_has_no_line(self):
        self.out.write_text(json.dumps({"peer": "stgym", "form": "first"}) + "\n")
        self.measure("stgym")
        self.assertEqual([line["form"] for line in self.lines()], ["first", "last", "first, one thread"])

    def test_a_line_that_a_kill_has_cut_is_measured_again_and_not_glued_to_the_next(self):
        self.out.write_text('{"peer": "stgym", "form": "last"}\n{"peer": "stgym", "form": "fir')
        self.assertEqual(self.measure("stgym").returncode, 0)
        lines = self.out.read_text().splitlines()
        self.assertEqual(lines[1], '{"peer": "stgym", "form": "fir')
        self.assertEqual([json.loads(line)["form"] for line in [lines[0], *lines[2:]]], ["last", "first", "first, one thread"])

    def test_the_page_leaves_out_a_line_that_a_kill_has_cut(self):
        self.write("peers.jsonl", [self.line("stgym", "first", 9, scale=1.0, nodes=[70_000])])
        self.write("a.json", self.run_of([("stgym/best_form/unit:step/device:cuda:0", 8, 2)]))
        whole = self.page()
        with (self.folder / "results/peers.jsonl").open("a") as out:
            out.write('\n{"peer": "stgym", "form": "la')
        self.assertEqual(self.page(), whole)

    def test_what_has_to_be_compiled_comes_last(self):
        self.assertEqual(self.measure("models").returncode, 0)
        forms = [line["form"] for line in self.lines()]
        self.assertEqual((len(forms), forms[:3], forms[-1]), (18, ["resnet50 eager", "resnet50 fused",
                                                                    "resnet50 fused_fp32"], "gpt compiled_bf16"))

    def test_a_form_that_failed_is_kept_with_its_reason_and_fails_the_part(self):
        said = self.measure("models", FAILED=", \"failed\": \"no memory\"")
        self.assertEqual((said.returncode, self.lines()[0]["failed"]), (1, "no memory"))

    def test_a_program_that_dies_is_named_and_the_others_go_on(self):
        said = self.measure("stgym", FAKE_EXIT="3")
        self.assertEqual((said.returncode, len(self.lines())), (1, 3))
        self.assertIn("measure.py: stgym_step.py ended with 3", said.stderr)

    def test_a_program_that_is_not_there_is_one_sentence(self):
        said = self.measure("copies")
        self.assertEqual(said.returncode, 1)
        self.assertRegex(said.stderr, r"^measure\.py: \S+/nvbandwidth: No such file or directory\n$")

    def test_what_nvbandwidth_says_where_it_does_not_start_is_told(self):
        program = self.folder / "kit/nvbandwidth"
        program.write_text("#!/bin/bash\necho 'libcuda.so.1: cannot open' >&2\nexit 127\n")
        program.chmod(0o755)
        self.assertRegex(self.measure("copies").stderr, r"nvbandwidth ended with 127 and no JSON of test cases: libcuda\.so\.1: cannot open\n$")

    def test_a_module_that_was_made_up_can_be_looked_for_as_libraries_do(self):
        (self.folder / "torch.py").touch()  # torch is not needed to make modules up
        code = ("import sys; sys.path[:0] = sys.argv[1:]; import importlib.util as u, stubs; made = stubs.install(); "
                "print('mlflow' in made, u.find_spec('mlflow').name)")
        said = subprocess.run([sys.executable, "-I", "-B", "-S", "-c", code, str(PEERS), str(self.folder)], capture_output=True, text=True,
                              timeout=60, check=False)
        self.assertEqual((said.stdout, said.stderr), ("True mlflow\n", ""))

    def test_a_row_of_the_same_size_on_the_same_card_stands_beside_each_form(self):
        self.write("a.json", self.run_of([("stgym/best_form/unit:step/device:cuda", 140, 3), ("stgym/inplace/unit:step/device:cuda", 73, 70)]))
        self.write("b.jsonl", [self.line("stgym", "first", 280, scale=1.0, nodes=[70_000, 71_000]),
                               self.line("stgym", "last", 105, scale=1.0, nodes=[70_000])])
        page = self.page()
        self.assertIn("| first commit, anomaly detection on | 70,500 nodes | 280 (560) | stgym/best_form/unit:step, naive | 140 | "
                      "2.00 | GPU-1 | abcdef123456 |", page)
        self.assertIn("stgym/inplace/unit:step, optimized | 70 | 1.50 |", page)
        self.assertIn("stgym/best_form/unit:step, optimized | 3 | 35.00 |", page)

    def test_rows_of_another_size_are_not_set_beside_it(self):
        self.write("a.json", self.run_of([("stgym/best_form/unit:step/device:cuda", 140, 3)], scale="0.5"))
        self.write("b.jsonl", [self.line("stgym", "first", 280, scale=1.0, nodes=[70_000])])
        self.assertIn("| not measured at this size | - | - |", self.page())

    def test_a_row_that_says_its_scale_is_of_that_one(self):
        self.write("a.json", self.run_of([("stgym/best_form/unit:step/device:cuda", 140, 3)], figures=[{"name": "scale", "naive": 0.25}]))
        self.write("b.jsonl", [self.line("stgym", "first", 280, scale=1.0, nodes=[70_000])])
        self.assertIn("| not measured at this size | - | - |", self.page())
        self.write("b.jsonl", [self.line("stgym", "first", 280, scale=0.25, nodes=[17_500])])
        self.assertIn("| stgym/best_form/unit:step, naive | 140 | 2.00 |", self.page())

    def test_a_models_row_counts_only_at_the_size_of_theirs(self):
        figure = {"name": "scale", "naive": 0.25}
        self.write("b.jsonl", [self.line("unet", "unet eager", 20, shape=[8, 1, 256, 256])])
        self.write("a.json", self.run_of([("unet/best_form/unit:step/device:cuda", 10, 5)], figures=[figure]))
        self.assertIn("| not measured at this size |", self.page())
        self.write("a.json", self.run_of([("unet/best_form/unit:step/device:cuda", 10, 5)], figures=[{**figure, "naive": 1.0}]))
        self.assertIn("| unet/best_form/unit:step, naive | 10 | 2.00 |", self.page())

    def test_a_row_of_another_card_of_the_kind_says_so(self):
        self.write("a.json", self.run_of([("stgym/best_form/unit:step/device:cuda", 140, 3)], uuid="GPU-2"))
        self.write("b.jsonl", [self.line("stgym", "first", 280, scale=1.0, nodes=[70_000])])
        self.assertIn("| another card of the kind |", self.page())

    def test_both_ways_are_halved_beside_nvbandwidths_single_direction(self):
        names = {"copy/both/host:pinned": 98e9, "copy/d2d": 1900e9}
        self.write("p.json", {"context": {"gpu": "H1", "tuneproof": "0.1.0 (abcdef1234567)"}, "benchmarks": [
            {"name": f"prices/{name}/bytes:512MiB/manual_time", "bytes_per_second": rate} for name, rate in names.items()]})
        self.write("b.jsonl", [{"peer": "nvbandwidth", "form": form, "rate_gb_s": rate, "uuid": "GPU-1", "card": "H1"} for form, rate in
                               [("host_to_device_bidirectional_memcpy_ce", 50.0), ("device_local_copy", 2000.0)]])
        page = self.page()
        self.assertIn("| 50 | copy/both/host:pinned/bytes:512MiB, half of both ways | 49 | 0.980 | GPU-1 | abcdef123456 |", page)
        self.assertIn("| 2000 | copy/d2d/bytes:512MiB | 1900 | 0.950 |", page)

    def test_what_the_stand_in_measured_is_refused(self):
        run = self.run_of([("stgym/best_form/unit:step/device:cuda", 140, 3)])
        run["tuneproof"]["fingerprint"]["hard"]["machine"]["gpu"] = {"name": "stand-in (no times)"}
        self.write("a.json", run)
        self.write("b.jsonl", [self.line("stgym", "first", 280, scale=1.0, nodes=[70_000])])
        said = self.call("page.py", self.folder / "results")
        self.assertEqual((said.returncode, said.stdout), (1, ""))
        self.assertIn("was measured on the stand-in device", said.stderr)

    def test_a_folder_without_lines_is_one_sentence(self):
        self.write("a.json", self.run_of([]))
        said = self.call("page.py", self.folder / "results")
        self.assertRegex(said.stderr, r"^tuneproof: [^\n]+ holds no lines of measure\.py[^\n]+\n$")


if __name__ == "__main__":
    unittest.main()
