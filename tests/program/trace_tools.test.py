"""Traces written by `tuneproof profile` open in HTA and in TensorBoard's profiler plugin, with our totals.

Usage: trace_tools.test.py TUNEPROOF PROJECT [unittest arguments]
Both tools come from PyPI into .deps/trace-tools, in the versions of scripts/versions.sh; exit 77 where they cannot.
TUNEPROOF_TRACE_TOOLS names a Python that has them already.
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import pinned

PROGRAM, PROJECT = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()

pinned.run_inside("trace-tools", PROJECT, "trace_tool_wheels")

from hta.trace_analysis import TraceAnalysis  # noqa: E402
from torch_tb_profiler.consts import WORKER_PATTERN  # noqa: E402
from torch_tb_profiler.profiler.data import RunProfileData  # noqa: E402
from torch_tb_profiler.profiler.run_generator import RunGenerator  # noqa: E402

STEPS = 3
PHASES = {"data_wait", "h2d", "fwd", "bwd", "opt"}


class Tools(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="tuneproof.")
        cls.addClassCleanup(folder.cleanup)
        said = subprocess.run([PROGRAM, "profile", "stgym/single_tail", "--form", "naive", "--device", "cpu", "--seed", "1",
                               "--schedule", f"wait=1,warmup=1,active={STEPS}", "--out", folder.name],
                              capture_output=True, text=True, timeout=600)
        assert said.returncode == 0, said.stderr
        cls.trace, = pathlib.Path(folder.name).iterdir()
        table = subprocess.run([PROGRAM, "diagnose", cls.trace, "--json", "-"], capture_output=True, text=True,
                               timeout=120, check=True)
        cls.diagnosis = json.loads(table.stdout)
        cls.analysis = TraceAnalysis(trace_files={0: str(cls.trace)}, include_last_profiler_step=True)
        cls.ops = {row["name"]: row for row in cls.diagnosis["op_table"]}

    def test_hta_reads_the_same_calls_and_times(self):
        events, names = self.analysis.t.get_trace(0), self.analysis.t.symbol_table.get_sym_table()
        events = events.assign(text=[names[i] for i in events["name"]], kind=[names[i] for i in events["cat"]])
        ops = events[events.kind == "cpu_op"].groupby("text").dur.agg(["count", "sum"])
        compared = 0
        for name, row in self.ops.items():
            if name not in ops.index or row["calls"] != ops.loc[name, "count"]:
                continue  # a range; or a name within itself, which PyTorch's table, and ours, counts once
            # HTA cuts times to whole microseconds.
            compared += 1
            self.assertAlmostEqual(ops.loc[name, "sum"], row["cpu_total_us"], delta=2 * row["calls"] + 1, msg=name)
        self.assertGreater(compared, 50)
        for name in ("aten::mm", "aten::_sparse_sparse_matmul", "aten::copy_"):
            self.assertEqual(ops.loc[name, "count"], self.ops[name]["calls"], name)
        self.assertLessEqual(PHASES, set(events[events.kind == "user_annotation"].text))

    def test_hta_finds_the_steps(self):
        self.assertEqual(sorted(self.analysis.t.get_iterations()), [2, 3, 4])

    def test_the_plugin_takes_the_name_and_reads_the_same_self_times(self):
        match = WORKER_PATTERN.match(self.trace.name)
        self.assertIsNotNone(match)
        self.assertEqual(match[1], "stgym-single_tail-against_below-unit_step-device_cpu-naive")
        data = RunProfileData.parse(match[1], match[2], str(self.trace), str(self.trace.parent))
        profile = RunGenerator(match[1], match[2], data).generate_run_profile()
        self.assertIn("Overview", profile.views[0].display_name)
        self.assertEqual(data.steps_names, ["2", "3", "4"])
        plugin = {op.name: op for op in data.op_list_groupby_name}
        ours = {name: row for name, row in self.ops.items() if name.startswith(("aten::", "autograd::"))}
        self.assertLessEqual(set(ours), set(plugin))
        for name, row in ours.items():
            self.assertAlmostEqual(plugin[name].self_host_duration, row["self_cpu_us"],
                                   delta=max(2, 0.001 * row["self_cpu_us"]), msg=name)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)
