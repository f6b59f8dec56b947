"""Times a training step of torchvision's ResNet-50, nanoGPT and U-Net in Python: eager, fused, in FP32, BF16, compiled.

Usage: models_step.py NANOGPT UNET MODEL SIZE DEVICE STEPS FORM...

SIZE: cpu has the shapes that our rows train on a CPU, device those on a GPU. A step is forward, backward and AdamW on a
batch that lies on the device. Convolutions run in TF32 there, as PyTorch has it by default, except in fused_fp32. Prints a
JSON line for each form; one that fails says why.
"""

import sys
import time

import torch

import timing

FORMS = ["eager", "fused", "fused_fp32", "bf16", "compiled", "compiled_bf16"]
SHAPES = {
    "cpu": {"resnet50": (8, 3, 64, 64), "gpt": (16, 64), "unet": (4, 1, 32, 32)},
    "device": {"resnet50": (64, 3, 224, 224), "gpt": (8, 1024), "unet": (8, 1, 256, 256)},
}
GPT = {"cpu": {"n_layer": 4, "n_head": 4, "n_embd": 128, "vocab_size": 256},
       "device": {"n_layer": 12, "n_head": 12, "n_embd": 768, "vocab_size": 50304}}
AT_FIRST = 3  # steps before timing: compiling, the optimizer's state, the allocator's blocks


def resnet50(size):
    import torchvision

    shape = SHAPES[size]["resnet50"]
    return torchvision.models.resnet50(num_classes=10), torch.randn(shape), torch.randint(10, shape[:1]), of_classes


def gpt(size):
    from model import GPT as Network
    from model import GPTConfig

    shape = SHAPES[size]["gpt"]
    network = Network(GPTConfig(block_size=shape[1], dropout=0.0, **GPT[size]))
    tokens = torch.randint(GPT[size]["vocab_size"], (shape[0], shape[1] + 1))
    return network, tokens[:, :-1].contiguous(), tokens[:, 1:].contiguous(), lambda network, x, y: network(x, y)[1]


def unet(size):
    from unet.unet_model import UNet

    shape = SHAPES[size]["unet"]
    return UNet(1, 1), torch.randn(shape), torch.randn(shape), lambda network, x, y: ((network(x) - y) ** 2).mean()


def of_classes(network, x, y):
    return torch.nn.functional.cross_entropy(network(x), y)


def step_of(make, size, form, device):
    network, x, y, loss_of = make(size)
    network, x, y = network.to(device), x.to(device), y.to(device)
    fused, bf16 = form != "eager", "bf16" in form
    torch.backends.cudnn.allow_tf32 = form != "fused_fp32"
    if fused and x.dim() == 4:
        network, x = network.to(memory_format=torch.channels_last), x.contiguous(memory_format=torch.channels_last)
    optimizer = torch.optim.AdamW(network.parameters(), fused=fused)
    called = torch.compile(network) if form.startswith("compiled") else network

    def step(_):
        optimizer.zero_grad(set_to_none=fused)
        with torch.autocast(device.type, torch.bfloat16, enabled=bf16):
            loss = loss_of(called, x, y)
        loss.backward()
        optimizer.step()
        return loss
    return step


def measure(name, size, form, device, steps):
    torch.manual_seed(1)
    begin = time.perf_counter()
    step = step_of({"resnet50": resnet50, "gpt": gpt, "unet": unet}[name], size, form, device)
    for number in range(AT_FIRST):
        loss = step(number)
    timing.waiter(device)()
    first = round(time.perf_counter() - begin, 1)
    return {**timing.times(step, steps, device), "first_steps_s": first, "loss": float(loss.detach())}


def main():
    sys.path[:0] = sys.argv[1:3]
    name, size, device, steps = sys.argv[3], sys.argv[4], torch.device(sys.argv[5]), int(sys.argv[6])
    for form in sys.argv[7:] or FORMS:
        facts = {"peer": name, "form": form, "shape": SHAPES[size][name], **timing.place(device)}
        try:
            timing.say(**facts, **measure(name, size, form, device, steps))
        except Exception as error:  # a form that does not fit or does not compile must not cost the others
            timing.say(**facts, failed=" ".join(str(error).split())[:300])


if __name__ == "__main__":
    main()
