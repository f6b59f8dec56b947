"""Trainings on the CPU with one planted trouble each, and the same mended. Usage: planted_cpu.py FOLDER [NAME..]

Writes FOLDER/NAME.json and FOLDER/NAME.mended.json, what torch's profiler records of six steps, and prints each name
with the finding that is planted there (-: none, the training is healthy).
"""

import contextlib
import io
import pathlib
import sys
import time

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

WIDTH = 512
CLASSES = 10


class Samples(Dataset):
    """Made-up samples in memory; `each` is what happens to one of them."""

    def __init__(self, count, each=lambda sample: sample):
        self.inputs, self.labels, self.each = torch.randn(count, WIDTH), torch.randint(CLASSES, (count,)), each

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, at):
        return self.each(self.inputs[at]), self.labels[at]


def perceptron(width=1024, depth=2):
    hidden = [part for _ in range(depth) for part in (nn.Linear(width, width), nn.ReLU())]
    return nn.Sequential(nn.Linear(WIDTH, width), nn.ReLU(), *hidden, nn.Linear(width, CLASSES))


def record(file, batches, step, shapes=False, skipped=1):
    """Six recorded steps after those that are skipped; `step` takes a batch."""
    schedule = torch.profiler.schedule(wait=0, warmup=skipped, active=6)
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU], schedule=schedule, record_shapes=shapes,
                                on_trace_ready=lambda profile: profile.export_chrome_trace(str(file))) as profile:
        for _, batch in zip(range(skipped + 6), batches):
            step(batch)
            profile.step()


def batch_of(size):
    return torch.randn(size, WIDTH), torch.randint(CLASSES, (size,))


def again(batch):
    while True:
        yield batch


class Training:
    """A plain step: forward, loss, backward, optimizer."""

    def __init__(self, model=None, optimizer=None):
        self.model = model or perceptron()
        self.optimizer = optimizer or torch.optim.SGD(self.model.parameters(), lr=0.01, foreach=True)

    def __call__(self, batch):
        inputs, labels = batch
        loss = nn.functional.cross_entropy(self.model(inputs), labels)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss


def slow_loader(file, mended):
    def read(sample):
        if not mended:
            time.sleep(0.001)
        return sample
    record(file, DataLoader(Samples(7 * 64, read), batch_size=64), Training())


def transform_in_loop(file, mended):
    def augmented(sample):
        for _ in range(0 if mended else 20):
            sample = (sample - sample.mean()) / sample.std()
        return sample
    record(file, DataLoader(Samples(7 * 64, augmented), batch_size=64), Training())


def one_worker_too_few(file, mended):
    def read(sample):
        time.sleep(0.004)
        return sample
    # Eight workers load all batches at once, while the skipped steps run.
    loader = DataLoader(Samples(10 * 64, read), batch_size=64, num_workers=8 if mended else 1)
    record(file, loader, Training(), skipped=4)


def item_each_step(file, mended):
    training = Training()
    losses = []
    def step(batch):
        loss = training(batch)
        losses.append(loss.detach() if mended else loss.item())
    record(file, again(batch_of(1024)), step)


def print_of_a_tensor(file, mended):
    training = Training(perceptron(256, 1))
    def step(batch):
        training(batch)
        if not mended:
            with contextlib.redirect_stdout(io.StringIO()):
                print(training.model[0].weight)
    record(file, again(batch_of(64)), step)


def tiny_operators(file, mended):
    training = Training(perceptron(32, 1))
    def step(batch):
        inputs, labels = batch
        means = inputs.mean(1, keepdim=True) if mended else torch.stack([row.sum() / WIDTH for row in inputs]).unsqueeze(1)
        training((inputs - means, labels))
    record(file, again(batch_of(2048)), step)


def no_no_grad(file, mended):
    training = Training()
    validation = batch_of(512)
    def step(batch):
        training(batch)
        with torch.no_grad() if mended else contextlib.nullcontext():
            training.model(validation[0])
    record(file, again(batch_of(256)), step)


def fp32_products(file, mended):
    training = Training()
    def step(batch):
        with torch.autocast("cpu", torch.bfloat16, enabled=mended):
            training(batch)
    record(file, again(batch_of(256)), step, shapes=True)


def anomaly_left_on(file, mended):
    training = Training()
    def step(batch):
        with torch.autograd.set_detect_anomaly(not mended):
            training(batch)
    record(file, again(batch_of(256)), step)


def tensor_from_a_list(file, mended):
    training = Training()
    weights = [1.0] * 500_000
    made = torch.tensor(weights)
    def step(batch):
        training(batch)
        (made if mended else torch.tensor(weights)).sum()
    record(file, again(batch_of(256)), step)


def checkpoint_in_loop(file, mended):
    training = Training()
    def step(batch):
        training(batch)
        if not mended:
            for _ in range(4):
                torch.save(training.model.state_dict(), file.with_suffix(".pt"))
    record(file, again(batch_of(256)), step)


def batch_too_small(file, mended):
    record(file, again(batch_of(2048 if mended else 1)), Training(perceptron(128, 6)))


def heavy_optimizer(file, mended):
    model = perceptron()
    optimizer = torch.optim.Adam(model.parameters(), fused=mended)
    record(file, again(batch_of(256 if mended else 8)), Training(model, optimizer))


def healthy_perceptron(file, _):
    record(file, DataLoader(Samples(7 * 256), batch_size=256), Training())


def healthy_convolutions(file, _):
    model = nn.Sequential(nn.Conv2d(3, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d(2),
                          nn.Conv2d(32, 64, 3, padding=1), nn.BatchNorm2d(64), nn.ReLU(), nn.AdaptiveAvgPool2d(1),
                          nn.Flatten(), nn.Linear(64, CLASSES))
    record(file, again((torch.randn(16, 3, 64, 64), torch.randint(CLASSES, (16,)))), Training(model), shapes=True)


PLANTED = {slow_loader: "data_loader_wait", transform_in_loop: "loader_transform", one_worker_too_few: "data_loader_wait",
           item_each_step: "item_reads", print_of_a_tensor: "tensor_printing", tiny_operators: "small_operators",
           no_no_grad: "unused_graph", fp32_products: "fp32_on_cpu", anomaly_left_on: "anomaly_checks",
           tensor_from_a_list: "tensor_from_list", checkpoint_in_loop: "checkpoint_in_step",
           batch_too_small: "small_batch", heavy_optimizer: "optimizer_share"}
HEALTHY = [healthy_perceptron, healthy_convolutions]


def main(folder, *names):
    torch.manual_seed(0)
    torch.set_num_threads(1)
    folder = pathlib.Path(folder)
    for script, finding in PLANTED.items():
        if not names or script.__name__ in names:
            script(folder / f"{script.__name__}.json", False)
            script(folder / f"{script.__name__}.mended.json", True)
            print(script.__name__, finding)
    for script in HEALTHY:
        if not names or script.__name__ in names:
            script(folder / f"{script.__name__}.json", False)
            print(script.__name__, "-")


if __name__ == "__main__":
    main(*sys.argv[1:])
