#!/usr/bin/env python3
"""Times training steps of ResNet-50, the GPT or the U-Net in Python's own PyTorch: what models_speed.py compares with.

  scripts/models_python.py MODEL FORM [REPETITIONS]      FORM: eager, channels_last, fused, bf16 or compile

Prints MODEL, FORM, the shortest, the median and the longest step in seconds, and what making the first step took.
The models are those of workloads/: same shapes, AdamW, batch and threads. Inputs are made beforehand.
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


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norms = nn.ModuleList([nn.LayerNorm(width), nn.LayerNorm(width)])
        self.attention = nn.Linear(width, 3 * width)
        self.projection = nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x):
        n, t, width = x.shape
        parts = self.attention(self.norms[0](x)).split(width, dim=2)
        q, k, v = (part.view(n, t, self.heads, -1).transpose(1, 2) for part in parts)
        y = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.projection(y.transpose(1, 2).reshape(n, t, width))
        return x + self.mlp(self.norms[1](x))


class Gpt(nn.Module):
    def __init__(self, vocabulary=256, block=64, layers=4, heads=4, width=128):
        super().__init__()
        self.tokens = nn.Embedding(vocabulary, width)
        self.places = nn.Embedding(block, width)
        self.blocks = nn.Sequential(*[Block(width, heads) for _ in range(layers)])
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


def work(name):
    """Model, input, target, loss, AdamW's options, and the norm that gradients are clipped to."""
    if name == "resnet50":
        return (resnet50(), torch.randn(8, 3, 64, 64), torch.randint(10, (8,)), functional.cross_entropy,
                {"lr": 1e-3, "weight_decay": 0.01}, None)
    if name == "gpt":
        def loss(logits, targets):
            return functional.cross_entropy(logits.flatten(0, 1), targets.flatten())
        return (Gpt(), torch.randint(256, (16, 64)), torch.randint(256, (16, 64)), loss,
                {"lr": 1e-3, "betas": (0.9, 0.95), "weight_decay": 0.1}, 1.0)
    return (UNet(), torch.randn(4, 1, 32, 32), torch.randn(4, 1, 32, 32), functional.mse_loss,
            {"lr": 1e-3, "weight_decay": 0.01}, None)


def step_of(name, form):
    model, x, y, loss_of, options, clip = work(name)
    if form != "eager" and x.dim() == 4:
        model, x = model.to(memory_format=torch.channels_last), x.to(memory_format=torch.channels_last)
    optimizer = torch.optim.AdamW(model.parameters(), fused=form in ("fused", "bf16", "compile"), **options)
    called = torch.compile(model) if form == "compile" else model

    def step():
        optimizer.zero_grad()
        with torch.autocast("cpu", torch.bfloat16, enabled=form == "bf16"):
            output = called(x)
        loss = loss_of(output.float(), y)
        loss.backward()
        if clip:
            nn.utils.clip_grad_norm_(model.parameters(), clip)
        optimizer.step()
        return loss.item()
    return step


def main():
    if len(sys.argv) < 3 or sys.argv[1] not in ("resnet50", "gpt", "unet"):
        sys.exit(__doc__.strip())
    torch.manual_seed(1)
    step = step_of(sys.argv[1], sys.argv[2])
    begin = time.perf_counter()
    step()
    first = time.perf_counter() - begin
    seconds = []
    for _ in range(int(sys.argv[3]) if len(sys.argv) > 3 else 8):
        begin = time.perf_counter()
        step()
        seconds.append(time.perf_counter() - begin)
    seconds.sort()
    print(sys.argv[1], sys.argv[2], *(f"{s:.6f}" for s in (seconds[0], seconds[len(seconds) // 2], seconds[-1], first)))


if __name__ == "__main__":
    main()
