# same: loss
# note: Without tensor cores some convolutions get slower by it: time your own network both ways; before PyTorch 2.9 the switch is torch.backends.cudnn.allow_tf32 = False.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
model = torch.nn.Sequential(torch.nn.Conv2d(8, 8, 1), torch.nn.ReLU(), torch.nn.Flatten(), torch.nn.Linear(128, 4)).to(device)
for parameter in model.parameters():
    parameter.data.copy_(torch.randint(-1, 2, parameter.shape))  # whole numbers: exact in any format
images = torch.randint(-2, 3, (2, 8, 4, 4), device=device).float()
labels = torch.tensor([1, 2], device=device)
loss_fn = torch.nn.CrossEntropyLoss()
torch.backends.cudnn.conv.fp32_precision = "ieee"

# before
loss = loss_fn(model(images), labels)
loss.backward()

# after
model = model.to(memory_format=torch.channels_last)  # once, before the loop
images = images.to(memory_format=torch.channels_last)  # in the loop, for each batch
loss = loss_fn(model(images), labels)
loss.backward()
