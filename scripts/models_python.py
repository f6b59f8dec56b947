#!/usr/bin/env python3
"""Times training steps of ResNet-50, the GPT or the U-Net in Python's own PyTorch: what models_speed.py compares with.

  scripts/models_python.py MODEL FORM [STEPS]

FORM is eager, channels_last, fused, bf16, compile, compile_bf16, compile_all or compile_all_bf16. `compile` compiles the
model, `compile_all` the loss and the update too.
Prints the seconds of each step, a line a step; the first comes apart, since it makes what the others find.
The models are those of workloads/: same shapes, AdamW, decay, batch, threads and data path. `eager` is what the naive
form there is: samples are transformed one by one, attention keeps its matrix of weights, gradients are filled with zeros
and clipped one by one, and the loss is read in each step. The other forms do none of that.
"""

import sys
import time

import torch
from torch import nn
from torch.nn import functional


def convolution(inputs, outputs, size=3, stride=1):
    return nn.Conv2d(inputs, outputs, size, stride, padding=size // 2, bias=False)


class Bottleneck(nn.Module):
    def __init__(self, inputs, width, stride):
        super().__init__()
        outputs = 4 * width
        self.path = nn.Sequential(convolution(inputs, width, 1), nn.BatchNorm2d(width), nn.ReLU(inplace=True),
                                  convolution(width, width, 3, stride), nn.BatchNorm2d(width), nn.ReLU(inplace=True),
                                  convolution(width, outputs, 1), nn.BatchNorm2d(outputs))
        changes = stride != 1 or inputs != outputs
        self.shortcut = (nn.Sequential(convolution(inputs, outputs, 1, stride), nn.BatchNorm2d(outputs))
                         if changes else nn.Identity())

    def forward(self, x):
        return functional.relu(self.path(x) + self.shortcut(x), inplace=True)


def resnet50():
    layers = [convolution(3, 64, 7, 2), nn.BatchNorm2d(64), nn.ReLU(inplace=True), nn.MaxPool2d(3, 2, 1)]
    inputs = 64
    for width, blocks in [(64, 3), (128, 4), (256, 6), (512, 3)]:
        for i in range(blocks):
            layers.append(Bottleneck(inputs, width, 2 if i == 0 and width != 64 else 1))
            inputs = 4 * width
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(inputs, 10))


def matrix_attention(q, k, v):
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    later = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1)
    return scores.masked_fill(later, float("-inf")).softmax(-1) @ v


class Block(nn.Module):
    def __init__(self, width, heads, fused):
        super().__init__()
        self.heads, self.fused = heads, fused
        self.norms = nn.ModuleList([nn.LayerNorm(width), nn.LayerNorm(width)])
        self.attention = nn.Linear(width, 3 * width)
        self.projection = nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x):
        n, t, width = x.shape
        parts = self.attention(self.norms[0](x)).split(width, dim=2)
        q, k, v = (part.view(n, t, self.heads, -1).transpose(1, 2) for part in parts)
        y = functional.scaled_dot_product_attention(q, k, v, is_causal=True) if self.fused else matrix_attention(q, k, v)
        x = x + self.projection(y.transpose(1, 2).reshape(n, t, width))
        return x + self.mlp(self.norms[1](x))


class Gpt(nn.Module):
    def __init__(self, fused, vocabulary=256, block=64, layers=4, heads=4, width=128):
        super().__init__()
        self.tokens = nn.Embedding(vocabulary, width)
        self.places = nn.Embedding(block, width)
        self.blocks = nn.Sequential(*[Block(width, heads, fused) for _ in range(layers)])
        self.norm = nn.LayerNorm(width)

    def forward(self, tokens):
        x = self.tokens(tokens) + self.places(torch.arange(tokens.shape[1]))
        return functional.linear(self.norm(self.blocks(x)), self.tokens.weight)


def double_convolution(inputs, outputs):
    return nn.Sequential(convolution(inputs, outputs), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True),
                         convolution(outputs, outputs), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True))


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        sizes = [64, 128, 256, 512, 1024]
        self.down = nn.ModuleList([double_convolution(a, b) for a, b in zip([1, *sizes], sizes)])
        pairs = list(zip(sizes[:0:-1], sizes[-2::-1]))
        self.enlarge = nn.ModuleList([nn.ConvTranspose2d(a, b, 2, 2) for a, b in pairs])
        self.up = nn.ModuleList([double_convolution(a, b) for a, b in pairs])
        self.out = nn.Conv2d(64, 1, 1)

    def forward(self, x):
        across = []
        for i, down in enumerate(self.down):
            x = down(functional.max_pool2d(x, 2) if i else x)
            across.append(x)
        across.pop()
        for enlarge, up in zip(self.enlarge, self.up):
            x = up(torch.cat([across.pop(), enlarge(x)], 1))
        return self.out(x)


def image(i):
    """Bytes to numbers from -1 to 1, as resnet50's samples are made."""
    return IMAGES[i].float() / 127.5 - 1, LABELS[i]


def piece(i):
    return TEXT[BLOCK * i:BLOCK * (i + 1)].long(), TEXT[BLOCK * i + 1:BLOCK * (i + 1) + 1].long()


def noisy_shape(i):
    """A disc and a box under noise, as unet's samples are drawn."""
    generator = torch.Generator().manual_seed(i)
    rows, columns = torch.arange(32.0).view(1, 32, 1), torch.arange(32.0).view(1, 1, 32)
    disc = (rows - i % 32).square() + (columns - i % 29).square() < (3 + i % 8) ** 2
    box = torch.maximum((rows - i % 23).abs(), (columns - i % 31).abs()) < 3 + i % 7
    noise = 0.3 * torch.randn(1, 32, 32, generator=generator)
    return disc.float() - box.float() + noise, noise


MODELS = ["resnet50", "gpt", "unet"]
FORMS = ["eager", "channels_last", "fused", "bf16", "compile", "compile_bf16", "compile_all", "compile_all_bf16"]
BLOCK = 64
IMAGES = torch.randint(256, (128, 3, 64, 64), dtype=torch.uint8)
LABELS = torch.randint(10, (128,))
TEXT = torch.randint(256, (1024 * BLOCK + 1,), dtype=torch.uint8)


def work(name, fused):
    """Model, samples, their number, batch size, loss, groups of parameters, AdamW's betas, and the norm to clip to."""
    if name == "resnet50":
        model = resnet50()
        return model, image, 128, 8, functional.cross_entropy, decayed(model, 0.01), (0.9, 0.999), None
    if name == "gpt":
        def loss(logits, targets):
            return functional.cross_entropy(logits.flatten(0, 1), targets.flatten())
        model = Gpt(fused)
        return model, piece, 1024, 16, loss, decayed(model, 0.1, matrices_only=True), (0.9, 0.95), 1.0
    model = UNet()
    return model, noisy_shape, 64, 4, functional.mse_loss, decayed(model, 0.01), (0.9, 0.999), None


def decayed(model, decay, matrices_only=False):
    if not matrices_only:
        return [{"params": list(model.parameters()), "weight_decay": decay}]
    return [{"params": [p for p in model.parameters() if p.dim() > 1], "weight_decay": decay},
            {"params": [p for p in model.parameters() if p.dim() <= 1], "weight_decay": 0.0}]


def joined(samples):
    return tuple(torch.stack(parts) for parts in zip(*samples))


def batches(get, count, size, ahead):
    """Epoch after epoch, shuffled; `ahead`: all samples are transformed here and now."""
    everything = joined([get(i) for i in range(count)]) if ahead else None
    while True:
        for numbers in torch.randperm(count).split(size):
            yield tuple(part[numbers] for part in everything) if ahead else joined([get(i) for i in numbers.tolist()])


def step_of(name, form):
    eager = form == "eager"
    model, get, count, size, loss_of, groups, betas, clip = work(name, fused=not eager)
    feed = batches(get, count, size, ahead=not eager)
    last = not eager and name != "gpt"
    if last:
        model = model.to(memory_format=torch.channels_last)
    whole = form.startswith("compile_all")
    # The compiler writes the update itself, out of the operators over lists of tensors.
    fused = form not in ("eager", "channels_last") and not whole
    optimizer = torch.optim.AdamW(groups, lr=1e-3, betas=betas, fused=fused)
    called = torch.compile(model) if form.startswith("compile") and not whole else model

    def forward(x, y):
        with torch.autocast("cpu", torch.bfloat16, enabled=form.endswith("bf16")):
            output = called(x)
        return loss_of(output.float(), y)

    losses, update = (torch.compile(forward), torch.compile(optimizer.step)) if whole else (forward, optimizer.step)

    def step():
        x, y = next(feed)
        if last:
            x = x.contiguous(memory_format=torch.channels_last)
        optimizer.zero_grad(set_to_none=not eager)
        loss = losses(x, y)
        loss.backward()
        if clip:
            nn.utils.clip_grad_norm_(model.parameters(), clip, foreach=not eager)
        update()
        if eager:
            loss.item()
    return step


def main():
    if len(sys.argv) < 3 or sys.argv[1] not in MODELS or sys.argv[2] not in FORMS:
        sys.exit(__doc__.strip())
    torch.manual_seed(1)
    step = step_of(sys.argv[1], sys.argv[2])
    for _ in range(1 + (int(sys.argv[3]) if len(sys.argv) > 3 else 8)):
        begin = time.perf_counter()
        step()
        print(f"{time.perf_counter() - begin:.6f}")


if __name__ == "__main__":
    main()
