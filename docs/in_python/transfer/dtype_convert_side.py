# same: images
# note: For types that shrink, such as FP32 to FP16, compare with `x.half().to(device)`: half the bytes, but the processor converts.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
pixels = torch.randint(0, 256, (64, 3, 32, 32), dtype=torch.uint8)

# before
images = pixels.to(device, torch.float32)  # the processor converts: four bytes to send

# after
images = pixels.to(device).to(torch.float32)  # the GPU converts: one byte to send
