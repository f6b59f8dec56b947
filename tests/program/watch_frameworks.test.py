"""`tuneproof watch` on programs of Lightning, Transformers, Accelerate and uv, unchanged, as their users write them.

Usage: watch_frameworks.test.py TUNEPROOF PROJECT [unittest arguments]
The packages come from PyPI into .deps/frameworks, in the versions of scripts/versions.sh, beside the set-up's torch; exit 77
where they cannot. TUNEPROOF_FRAMEWORKS names a Python that has them already. Models are tiny and random: no weights are fetched.
"""

import gzip
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import textwrap
import unittest

import pinned

PROGRAM, PROJECT = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
DEPS = pathlib.Path(os.environ.get("TUNEPROOF_DEPS", PROJECT / ".deps"))
LONG = 900
STEPS = [10, 11, 12, 13, 14]
PYTHON = pinned.python_with("frameworks", PROJECT, "framework_wheels", beside=DEPS / "venv/bin/python")

LIGHTNING = """
    import lightning
    from lightning.pytorch.demos.boring_classes import BoringModel
    trainer = lightning.Trainer(max_epochs=1, accelerator="cpu", logger=False, enable_checkpointing=False,
                                enable_progress_bar=False, enable_model_summary=False, accumulate_grad_batches=2)
    trainer.fit(BoringModel())
    print("steps", trainer.global_step)
    """

TRAINER = """
    import torch
    from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainingArguments
    model = BertForSequenceClassification(BertConfig(vocab_size=50, hidden_size=16, num_hidden_layers=1,
                                                     num_attention_heads=2, intermediate_size=16))
    data = [{"input_ids": torch.randint(0, 50, (8,)), "labels": torch.tensor(i % 2)} for i in range(64)]
    trainer = Trainer(model=model, train_dataset=data,
                      args=TrainingArguments("out", max_steps=20, per_device_train_batch_size=4, use_cpu=True,
                                             report_to=[], save_strategy="no", disable_tqdm=True))
    trainer.train()
    print("steps", trainer.state.global_step)
    """

ACCELERATE = """
    import torch
    from accelerate import Accelerator
    accelerator = Accelerator(cpu=True, gradient_accumulation_steps=2)
    data = torch.utils.data.TensorDataset(torch.randn(160, 8), torch.randn(160, 1))
    model = torch.nn.Linear(8, 1)
    optimizer = torch.optim.AdamW(model.parameters())
    model, optimizer, loader = accelerator.prepare(model, optimizer, torch.utils.data.DataLoader(data, batch_size=4))
    steps = 0
    for inputs, targets in loader:
        with accelerator.accumulate(model):
            loss = torch.nn.functional.mse_loss(model(inputs), targets)
            accelerator.backward(loss)
            optimizer.step()
            optimizer.zero_grad()
            steps += accelerator.sync_gradients
    print("steps", steps)
    """

PLAIN = """
    import torch
    model = torch.nn.Linear(8, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(20):
        optimizer.zero_grad()
        model(torch.randn(4, 8)).sum().backward()
        optimizer.step()
    print("steps", step + 1)
    """


class Frameworks(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tuneproof.")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def watched(self, script, *command):
        """What the program said; its only trace as steps and ranges."""
        (self.folder / "train.py").write_text(textwrap.dedent(script))
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": "", "HF_HUB_OFFLINE": "1",
                       "UV_CACHE_DIR": str(self.folder / "uv")}
        said = subprocess.run([str(part) for part in (PROGRAM, "watch", "--skip", 10, "--", *command)], cwd=self.folder,
                              capture_output=True, text=True, timeout=LONG, env=environment)
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertIn("VERDICT", said.stderr)
        [trace] = (self.folder / "traces").glob("*.pt.trace.json.gz")
        with gzip.open(trace) as file:
            events = json.load(file)["traceEvents"]
        ranges = [event for event in events if event.get("cat") == "user_annotation"]
        return said, [event for event in ranges if event["name"].startswith("ProfilerStep#")], ranges

    def check(self, script, optimizer, *command, steps=20):
        said, marked, ranges = self.watched(script, *command or [PYTHON, "train.py"])
        self.assertIn(f"steps {steps}", said.stdout)
        self.assertEqual(sorted(int(step["name"].split("#")[1]) for step in marked), STEPS)
        for step in marked:
            inside = [r for r in ranges if step["ts"] <= r["ts"] < step["ts"] + step["dur"] and
                      r["name"] == f"Optimizer.step#{optimizer}.step"]
            self.assertEqual(len(inside), 1, "one step of the optimizer, after all of its accumulation")

    def test_lightnings_own_demo_is_watched_unchanged(self):
        self.check(LIGHTNING, "SGD", steps=32)

    def test_a_trainer_of_transformers_is_watched_unchanged(self):
        self.check(TRAINER, "AdamW")

    def test_a_loop_of_accelerate_that_accumulates_is_watched_unchanged(self):
        self.check(ACCELERATE, "AdamW")

    def test_accelerates_own_launcher_starts_what_is_watched(self):
        self.check(ACCELERATE, "AdamW", PYTHON, "-m", "accelerate.commands.launch", "--cpu", "--num_processes", "1",
                   "--num_machines", "1", "--mixed_precision", "no", "--dynamo_backend", "no", "train.py")

    def test_uv_run_is_watched(self):
        uv = PYTHON.parent / "uv"
        self.check(PLAIN, "SGD", uv, "run", "--no-project", "--offline", "--python", PYTHON, "train.py")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)
