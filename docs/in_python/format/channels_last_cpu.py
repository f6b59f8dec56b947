# same: outputs
# note: It gains least where convolutions have many channels and few pixels.
import torch

model = torch.nn.Sequential(torch.nn.Conv2d(8, 8, 1), torch.nn.ReLU(), torch.nn.Flatten(), torch.nn.Linear(128, 4)).eval()
for parameter in model.parameters():
    parameter.data.copy_(torch.randint(-1, 2, parameter.shape))  # whole numbers: exact in any format
images = torch.randint(-2, 3, (2, 8, 4, 4)).float()

# before
with torch.inference_mode():
    outputs = model(images)

# after
model = model.to(memory_format=torch.channels_last)  # once, before the loop
images = images.to(memory_format=torch.channels_last)
with torch.inference_mode():
    outputs = model(images)
