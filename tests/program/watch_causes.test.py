"""Trainings with one known trouble each: `tuneproof watch` names its cause, and advises nothing that makes it worse.

Usage: watch_causes.test.py TUNEPROOF PROJECT [unittest arguments]
None asserts a time: a script is slow in one way only, by far.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import textwrap
import unittest

PROGRAM, PROJECT = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
PYTHON = pathlib.Path(os.environ.get("TUNEPROOF_DEPS", PROJECT / ".deps")) / "venv/bin/python"
CASES = pathlib.Path(os.environ.get("TUNEPROOF_WATCH_CASES_DIR", PROJECT.parent / "shared/cases/watch"))
SKIPPED = 77
LONG = 600
CPUS = len(os.sched_getaffinity(0))

IMPORTS = """
import time, torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, TensorDataset
torch.manual_seed(0)

def train(batches, model, optimizer, loss=nn.functional.cross_entropy):
    for x, y in batches:
        optimizer.zero_grad()
        loss(model(x), y).backward()
        optimizer.step()

def again(count, *batch):
    for _ in range(count):
        yield batch

class Made(Dataset):
    def __init__(self, count, each):
        self.count, self.each = count, each
    def __len__(self):
        return self.count
    def __getitem__(self, at):
        return self.each(at), at % 10
"""


class Watched(unittest.TestCase):
    def watch(self, text, *options, threads="1", arguments=()):
        """The diagnosis, and what was said on standard error. `text` may be a script's path."""
        with tempfile.TemporaryDirectory(prefix="tuneproof.") as folder:
            script = text
            if isinstance(text, str):
                script = pathlib.Path(folder) / "script.py"
                script.write_text(IMPORTS + textwrap.dedent(text))
            said = subprocess.run([PROGRAM, "watch", "--json", "d.json", *options, "--", PYTHON, script, *arguments], cwd=folder,
                                  capture_output=True, text=True, timeout=LONG, env={**os.environ, "OMP_NUM_THREADS": threads})
            self.assertEqual(said.returncode, 0, said.stderr)
            written = pathlib.Path(folder) / "d.json"
            self.assertTrue(written.exists(), said.stderr)
            return json.loads(written.read_text()), said.stderr

    def found(self, diagnosis, identity):
        return next((finding["message"] for finding in diagnosis["findings"] if finding["id"] == identity), None)

    def check(self, text, identity, *words, **more):
        diagnosis, said = self.watch(text, **more)
        message = self.found(diagnosis, identity)
        self.assertIsNotNone(message, said)
        for word in words:
            self.assertIn(word, message)
        return diagnosis


class Causes(Watched):
    # Questions about cuDNN.

    def test_recurrent_layers_and_ctc_are_judged_on_the_cpu(self):
        layers = {"LSTM": "nn.LSTM(16, 32, batch_first=True)", "GRU": "nn.GRU(16, 32, batch_first=True)",
                  "both ways": "nn.LSTM(16, 16, num_layers=2, bidirectional=True, batch_first=True)"}
        for name, layer in layers.items():
            with self.subTest(name):
                diagnosis, said = self.watch(f"""
                    layer, head = {layer}, nn.Linear(32, 10)
                    optimizer = torch.optim.Adam([*layer.parameters(), *head.parameters()])
                    train(again(40, torch.randn(16, 20, 16), torch.randint(10, (16,))), lambda x: head(layer(x)[0][:, -1]), optimizer)
                    """)
                self.assertNotEqual(diagnosis["verdict"]["regime"], "cannot say", said)
                self.assertNotIn("ProfilerActivity.CUDA", said)
        with self.subTest("CTC"):
            diagnosis, said = self.watch("""
                model = nn.Linear(16, 10)
                def loss(scores, labels):
                    lengths = torch.full((8,), 20), torch.full((8,), 5)
                    return nn.functional.ctc_loss(scores.log_softmax(2), labels, *lengths)
                train(again(40, torch.randn(20, 8, 16), torch.randint(1, 10, (8, 5))), model, torch.optim.SGD(model.parameters(), lr=0.1), loss)
                """)
            self.assertNotEqual(diagnosis["verdict"]["regime"], "cannot say", said)

    # Workers.

    def test_data_in_memory_want_no_workers(self):
        for name, data in {"tensors": "TensorDataset(torch.randn(9600, 64), torch.randint(10, (9600,)))",
                           "list": "[(row, 1) for row in torch.randn(9600, 64)]",
                           "own": "Made(9600, torch.randn(9600, 64).__getitem__)"}.items():
            with self.subTest(name):
                diagnosis, said = self.watch(f"""
                    model = nn.Linear(64, 10)
                    train(DataLoader({data}, batch_size=64, num_workers=4), model, torch.optim.SGD(model.parameters(), lr=0.1))
                    """)
                message = self.found(diagnosis, "data_loader_wait") or ""
                self.assertNotIn("add workers", said)
                self.assertTrue(not message or "num_workers=0" in message or "cannot help" in message or "is started" in message, said)

    def test_too_many_threads_in_too_many_workers_are_fewer_of_both(self):
        self.check(f"""
            def threads(_):
                torch.set_num_threads(16)
            model = nn.Linear(64, 10)
            data = Made(1280, lambda at: (torch.randn(700, 700) @ torch.randn(700, 700))[0, :64])
            train(DataLoader(data, batch_size=16, num_workers={4 * CPUS}, worker_init_fn=threads), model, torch.optim.SGD(model.parameters(), lr=0.1))
            """, "data_loader_wait", "take fewer of both")

    def test_workers_that_compute_on_all_cpus_are_not_to_be_more(self):
        diagnosis, said = self.watch(f"""
            model = nn.Linear(64, 10)
            data = Made(960, lambda at: (torch.randn(400, 400) @ torch.randn(400, 400))[0, :64])
            train(DataLoader(data, batch_size=16, num_workers={CPUS}), model, torch.optim.SGD(model.parameters(), lr=0.1))
            """)
        self.assertNotIn("add workers", said)

    def test_workers_that_wait_for_a_slow_source_may_be_more(self):
        self.check("""
            model = nn.Linear(64, 10)
            data = Made(640, lambda at: time.sleep(0.004) or torch.ones(64))
            train(DataLoader(data, batch_size=16, num_workers=1), model, torch.optim.SGD(model.parameters(), lr=0.1))
            """, "data_loader_wait", "add workers")

    def test_the_loader_of_an_evaluation_is_not_taken_for_that_of_the_training(self):
        self.check("""
            model = nn.Linear(64, 10)
            optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
            loading = iter(DataLoader(Made(960, lambda at: time.sleep(0.004) or torch.ones(64)), batch_size=16, num_workers=1))
            train([next(loading)], model, optimizer)
            for x, y in DataLoader(TensorDataset(torch.randn(64, 64), torch.randint(10, (64,))), batch_size=16):
                model(x)
            train(loading, model, optimizer)
            """, "data_loader_wait", "its 1 worker waits")

    def test_workers_that_start_in_each_epoch_are_to_persist(self):
        epochs = """
            if __name__ == "__main__":
                model = nn.Linear(64, 10)
                optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
                LOADER
                for epoch in range(8):
                    train(EACH, model, optimizer)
            """
        made = "DataLoader(TensorDataset(torch.randn(64, 64), torch.randint(10, (64,))), batch_size=16, num_workers=2{})"
        for name, loader, each in [("one loader", "loader = " + made.format(""), "loader"), ("a new one", "", made.format("")),
                                   ("spawn", "loader = " + made.format(", multiprocessing_context='forkserver'"), "loader")]:
            with self.subTest(name):
                self.check(epochs.replace("LOADER", loader).replace("EACH", each), "workers_each_epoch", "persistent_workers=True")
        with self.subTest("they persist"):
            diagnosis, _ = self.watch(epochs.replace("LOADER", "loader = " + made.format(", persistent_workers=True")).replace("EACH", "loader"))
            self.assertIsNone(self.found(diagnosis, "workers_each_epoch"))

    # What a processor is slow with.

    def test_denormal_numbers_are_named(self):
        trouble = {"weights": "optimizer.param_groups[0]['lr'] = 0\n"  # a step would make them ordinary
                            "for p in model.parameters(): p.data.mul_(1e-38)",
                   "outputs": "model[0].register_forward_hook(lambda module, inputs, output: output * 1e-39)",
                   "state": "optimizer.param_groups[0]['momentum'] = 0.9\n"
                            "for p in model.parameters(): optimizer.state[p]['momentum_buffer'] = torch.full_like(p, 1e-38)\n"
                            "scale = 1e-44"}
        for name, makes in trouble.items():
            with self.subTest(name):
                text = textwrap.dedent("""
                    scale = 1
                    model = nn.Sequential(nn.Linear(256, 256), nn.Sigmoid(), nn.Linear(256, 10))
                    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
                    MAKES
                    train(again(40, torch.randn(128, 256), torch.randint(10, (128,))), model, optimizer,
                          lambda scores, labels: nn.functional.cross_entropy(scores, labels) * scale)
                    """).replace("MAKES", makes)
                diagnosis = self.check(text, "denormal_numbers", "set_flush_denormal")
                self.assertNotIn("should be", diagnosis["verdict"]["would_change"] or "")

    def test_autocast_without_a_unit_is_named_and_bf16_not_advised(self):
        flags = pathlib.Path("/proc/cpuinfo").read_text()
        for name, scope in {"around the model": "with torch.autocast('cpu', torch.bfloat16):", "around the training": ""}.items():
            with self.subTest(name):
                text = f"""
                    model = nn.Sequential(nn.Linear(512, 512), nn.ReLU(), nn.Linear(512, 10))
                    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
                    def scores(x):
                        {scope or "if True:"}
                            return model(x)
                    {"torch.autocast('cpu', torch.bfloat16).__enter__()" if not scope else ""}
                    train(again(40, torch.randn(256, 512), torch.randint(10, (256,))), scores, optimizer)
                    """
                diagnosis, said = self.watch(text)
                if not any(unit in flags for unit in ("avx512_bf16", "amx_bf16", " bf16")):
                    self.assertIsNotNone(self.found(diagnosis, "autocast_without_unit"), said)
                self.assertIsNone(self.found(diagnosis, "fp32_on_cpu"))
                self.assertNotIn("BF16 (torch.autocast)", said)

    def test_float64_is_named(self):
        for name, makes in {"module": "model = nn.Linear(256, 10).double()", "by default": "torch.set_default_dtype(torch.float64); model = nn.Linear(256, 10)"}.items():
            with self.subTest(name):
                self.check(f"""
                    {makes}
                    train(again(40, torch.randn(512, 256, dtype=torch.float64), torch.randint(10, (512,))), model, torch.optim.SGD(model.parameters(), lr=0.1))
                    """, "fp64_numbers", "float32")

    @unittest.skipIf(CPUS < 2, "there is one CPU")
    def test_threads_that_are_fewer_than_the_cpus_are_named(self):
        model = """
            model = nn.Sequential(nn.Linear(1024, 1024), nn.ReLU(), nn.Linear(1024, 10))
            SET
            train(again(25, torch.randn(256, 1024), torch.randint(10, (256,))), model, torch.optim.SGD(model.parameters(), lr=0.1))
            """
        self.check(model.replace("SET", ""), "unused_cpus", "1 thread where", threads="1")
        self.check(model.replace("SET", "torch.set_num_threads(1)"), "unused_cpus", "1 thread where", threads=str(CPUS))
        diagnosis, _ = self.watch(model.replace("SET", ""), threads=str(CPUS))
        self.assertIsNone(self.found(diagnosis, "unused_cpus"))

    def test_a_model_that_is_called_by_the_piece_is_named(self):
        for name, call in {"each row": "torch.stack([model(row) for row in x])", "rows of one": "torch.cat([model(row[None]) for row in x])",
                           "acting": "(([model(row).argmax() for row in x]), model(x))[1]"}.items():
            with self.subTest(name):
                self.check(f"""
                    model = nn.Sequential(nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, 10))
                    train(again(40, torch.randn(32, 256), torch.randint(10, (32,))), lambda x: {call}, torch.optim.SGD(model.parameters(), lr=0.1))
                    """, "calls_by_the_piece", "in one call")

    def test_calls_that_need_each_other_are_not(self):
        solver = "Slope()", "h + 0.1 * model(torch.tensor(t / 20), h)"
        for name, module, step, grad in [("recurrent cell", "nn.GRUCell(64, 64)", "model(x, h)", "enable_grad"), ("solver", *solver, "enable_grad"),
                                         ("evaluation", *solver, "no_grad")]:
            with self.subTest(name):
                diagnosis, said = self.watch(f"""
                    class Slope(nn.Module):
                        def __init__(self):
                            super().__init__()
                            self.layer = nn.Linear(64, 64)
                        def forward(self, t, h):
                            return torch.tanh(self.layer(h)) * t
                    model = {module}
                    def scores(x):
                        h = torch.zeros(4, 64)
                        with torch.{grad}():
                            for t in range(20):
                                h = {step}
                        return h + 0 * next(model.parameters()).sum()
                    train(again(40, torch.randn(4, 64), torch.randint(10, (4,))), scores, torch.optim.SGD(model.parameters(), lr=0.1))
                    """)
                self.assertIsNone(self.found(diagnosis, "calls_by_the_piece"), said)

    # Second derivatives, checkpoints.

    def test_second_derivatives_are_no_recomputation(self):
        losses = {"gradient penalty": """
                      g, = torch.autograd.grad(model(x).sum(), x, create_graph=True)
                      return g.square().sum()""",
                  "Hessian": """
                      g, = torch.autograd.grad(model(x).square().sum(), x, create_graph=True)
                      h, = torch.autograd.grad(g.sum(), x, create_graph=True)
                      return h.square().sum()""",
                  "inner step": """
                      weights = list(model.parameters())
                      g = torch.autograd.grad(model(x).square().mean(), weights, create_graph=True)
                      fast = [w - 0.1 * d for w, d in zip(weights, g)]
                      return (torch.tanh(x @ fast[0].T + fast[1]) @ fast[2].T).square().mean()"""}
        for name, loss in losses.items():
            with self.subTest(name):
                diagnosis, _ = self.watch(textwrap.dedent("""
                    model = nn.Sequential(nn.Linear(128, 128), nn.Tanh(), nn.Linear(128, 1))
                    def second(x):
                    BODY
                    x = torch.randn(256, 128, requires_grad=True)
                    train(again(40, x, None), second, torch.optim.SGD(model.parameters(), lr=1e-4), lambda value, _: value)
                    """).replace("BODY", textwrap.indent(textwrap.dedent(loss.lstrip("\n")), "    ")))
                self.assertIsNone(self.found(diagnosis, "recomputation"))

    def test_checkpoints_are_recomputation(self):
        for reentrant in (True, False):
            with self.subTest(reentrant=reentrant):
                self.check(f"""
                    from torch.utils.checkpoint import checkpoint
                    model = nn.Sequential(nn.Linear(256, 256), nn.Tanh(), nn.Linear(256, 10))
                    x = torch.randn(256, 256, requires_grad=True)
                    train(again(40, x, torch.randint(10, (256,))), lambda x: checkpoint(model, x, use_reentrant={reentrant}), torch.optim.SGD(model.parameters(), lr=0.1))
                    """, "recomputation")

    # File and line.

    def test_stacks_name_the_line_of_what_pytorch_does_not_see(self):
        outside = """
            def write_report(rows):
                return "".join(str(row) for row in range(rows))
            model = nn.Linear(64, 10)
            optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
            for i in range(25):
                train(again(1, torch.randn(8, 64), torch.randint(10, (8,))), model, optimizer)
                REPORT
            """
        sleeping = "def pause():\n                time.sleep(0.02)\n            "
        for name, text, where in [("own", outside.replace("REPORT", "write_report(30_000)"), ": write_report"),
                                  ("sleep", outside.replace("def write", sleeping + "def write").replace("REPORT", "pause()"), ": pause")]:
            with self.subTest(name):
                diagnosis, said = self.watch(text, "--stacks")
                self.assertIn(where, self.found(diagnosis, "outside_pytorch") or "", said)
                self.assertNotIn("shows where", said)
        diagnosis, _ = self.watch(outside.replace("REPORT", "write_report(30_000)"))
        self.assertIn("(--stacks shows where)", self.found(diagnosis, "outside_pytorch"))

    def test_stacks_name_the_line_of_a_dataset_and_of_collate(self):
        for name, data, more, where in [("sample", "Slow()", "", ": __getitem__"), ("collate", "[(torch.ones(64), 1)] * 400", ", collate_fn=slow", ": slow")]:
            with self.subTest(name):
                diagnosis, said = self.watch(f"""
                    class Slow(Made):
                        def __init__(self): super().__init__(400, torch.ones(400, 64).__getitem__)
                        def __getitem__(self, at):
                            time.sleep(0.002)
                            return super().__getitem__(at)
                    def slow(samples):
                        time.sleep(0.02)
                        return torch.utils.data.default_collate(samples)
                    model = nn.Linear(64, 10)
                    train(DataLoader({data}, batch_size=16{more}), model, torch.optim.SGD(model.parameters(), lr=0.1))
                    """, "--stacks")
                self.assertIn(where, self.found(diagnosis, "data_loader_wait") or "", said)


@unittest.skipIf(not CASES.is_dir(), f"{CASES} is missing")
class Cases(Watched):
    """Scripts that got a wrong answer once, with the right ones in that folder's README; they lie beside the project."""
    def test_w01_an_lstm_on_the_cpu_gets_a_verdict(self):
        diagnosis, said = self.watch(CASES / "w01_lstm_on_cpu.py")
        self.assertNotEqual(diagnosis["verdict"]["regime"], "cannot say", said)

    def test_w02_many_operators_end_in_a_trace_without_an_internal_error(self):
        diagnosis, said = self.watch(CASES / "w02_many_operators_stall.py")
        self.assertNotIn("Error", said)
        self.assertIn(diagnosis["verdict"]["regime"], ("input-bound", "overhead/sync-bound"), said)

    def test_w03_data_in_memory_want_no_workers(self):
        _, said = self.watch(CASES / "w03_workers_in_memory.py")
        self.assertNotIn("add workers", said)

    def test_w05_denormal_weights_are_named(self):
        diagnosis, said = self.watch(CASES / "w05_denormals.py")
        self.assertIn("set_flush_denormal", self.found(diagnosis, "denormal_numbers") or "", said)
        self.assertNotIn("should be", said)

    def test_w07_an_optimizer_within_backward_is_recorded_quietly(self):
        diagnosis, said = self.watch(CASES / "w07_optimizer_in_backward.py")
        self.assertNotIn("Error", said)
        self.assertNotIn("Warning", said)
        self.assertNotEqual(diagnosis["verdict"]["regime"], "cannot say", said)

    def test_w08_autocast_that_is_on_is_not_advised(self):
        _, said = self.watch(CASES / "w08_autocast_cpu.py")
        self.assertNotIn("BF16", said)

    def test_w10_parameters_updated_by_hand_are_recorded(self):
        diagnosis, said = self.watch(CASES / "w10_update_by_hand.py")
        self.assertNotEqual(diagnosis["verdict"]["regime"], "cannot say", said)


if __name__ == "__main__":
    if not PYTHON.exists() or subprocess.run([PYTHON, "-c", "import torch"], capture_output=True).returncode != 0:
        print(f"skipped: {PYTHON} has no torch")
        sys.exit(SKIPPED)
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)
