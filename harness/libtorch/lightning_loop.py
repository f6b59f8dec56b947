"""Trains three small layers in Lightning or by a plain loop, an epoch each time it is asked for one.

Usage: lightning_loop.py PLAN, which is JSON. It reads a word a line (lightning, plain, restart, losses) and answers each
with a line of JSON; the first line says whether it can train here. The plain loop runs inside Lightning's first hook of
an epoch, so both run in one process. harness/libtorch/python_training.cpp is the other side.
"""

import json
import os
import shutil
import sys
import tempfile

answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)  # what libraries print is not an answer
plan = json.loads(sys.argv[1])


def answer(**content):
    answers.write(json.dumps(content) + "\n")
    answers.flush()


def end(code=0):
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(code)


folder = tempfile.mkdtemp(prefix="tuneproof-")
try:
    import torch
except ImportError:
    answer(missing="torch")
    end()
try:
    import lightning.pytorch as pl
except ImportError:
    try:
        import pytorch_lightning as pl
    except ImportError:
        answer(missing="Lightning")
        end()

torch.set_num_threads(plan["threads"])
torch.manual_seed(plan["seed"])
width, rate = plan["width"], 0.05
model = torch.nn.Sequential(*(part for _ in range(3) for part in (torch.nn.Linear(width, width, bias=False), torch.nn.Tanh())))
first = {name: value.clone() for name, value in model.state_dict().items()}


class Batches:
    """What both loops iterate over; a list would be several loaders to Lightning."""

    def __init__(self, count):
        self.made = [(torch.randn(32, width), torch.randn(32, width)) for _ in range(count)]

    def __len__(self):
        return len(self.made)

    def __iter__(self):
        return iter(self.made)


training, validation = Batches(plan["batches"]), Batches(plan["validation_batches"])
losses = []


def loss_of(batch):
    return torch.nn.functional.mse_loss(model(batch[0]), batch[1])


def plain_epoch(optimizer):
    for batch in training:
        loss = loss_of(batch)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    model.eval()
    with torch.no_grad():
        for batch in validation:
            losses.append(loss_of(batch))
    model.train()


def serve(optimizer):
    """Does what it is asked for, until that is an epoch of Lightning's."""
    for line in sys.stdin:
        word = line.strip()
        if word == "lightning":
            losses.clear()
            return
        if word == "plain":
            losses.clear()
            plain_epoch(optimizer)
        elif word == "restart":
            model.load_state_dict(first)
            losses.clear()
        answer(losses=[loss.item() for loss in losses] if word == "losses" else [])
    end()


def in_lightning():
    class Module(pl.LightningModule):
        def __init__(self):
            super().__init__()
            self.layers = model

        def training_step(self, batch, index):
            loss = loss_of(batch)
            losses.append(loss.detach())
            if plan["defaults"]:
                self.log("loss", loss)
            return loss

        def validation_step(self, batch, index):
            losses.append(loss_of(batch))

        def configure_optimizers(self):
            return torch.optim.SGD(self.parameters(), lr=rate)

    class Asked(pl.Callback):
        """An epoch is over when the next one would begin: all that Lightning does between two counts."""

        begun = False

        def on_train_epoch_start(self, trainer, module):
            answer(losses=[]) if self.begun else answer(ready=True)
            self.begun = True
            serve(trainer.optimizers[0])

    class Empty(pl.Callback):
        def on_train_batch_start(self, *arguments):
            pass

        def on_before_backward(self, *arguments):
            pass

        def on_after_backward(self, *arguments):
            pass

        def on_train_batch_end(self, *arguments):
            pass

    callbacks = [Asked()] + [Empty() for _ in range(plan["callbacks"])]
    aside = {} if plan["defaults"] else {"logger": False, "enable_progress_bar": False, "enable_checkpointing": False}
    trainer = pl.Trainer(accelerator="cpu", devices=1, max_epochs=-1, num_sanity_val_steps=0, enable_model_summary=False,
                         limit_val_batches=len(validation), default_root_dir=folder, callbacks=callbacks,
                         profiler=profiler(), **aside)
    trainer.fit(Module(), training, validation if len(validation) else None)


def profiler():
    if plan["profiler"] == "simple":
        return pl.profilers.SimpleProfiler()
    if plan["profiler"] == "pytorch":
        active = max(1, len(training) - 1)
        return pl.profilers.PyTorchProfiler(schedule=torch.profiler.schedule(wait=0, warmup=1, active=active),
                                            on_trace_ready=lambda _: None, export_to_chrome=False)
    return None


try:
    in_lightning()
    answer(failed="Lightning has ended the training")
except Exception as error:  # the other side has no standard error to look at
    answer(failed=f"{type(error).__name__}: {error}"[:500])
    end(1)
