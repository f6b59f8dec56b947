# same: loss
# note: At a small batch the peak can rise, since autocast keeps a 16-bit copy of each weight beside the FP32 one.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
model = torch.nn.Linear(8, 8, bias=False).to(device)
torch.nn.init.constant_(model.weight, 2)  # whole numbers: exact in BF16, too
loss_fn = torch.nn.MSELoss()
inputs = torch.randint(-2, 3, (16, 8), device=device).float()
targets = torch.zeros(16, 8, device=device)

# before
loss = loss_fn(model(inputs), targets)  # keeps activations of four bytes a value
loss.backward()

# after
with torch.amp.autocast("cuda", dtype=torch.bfloat16):
    loss = loss_fn(model(inputs), targets)  # keeps most activations in two bytes
loss.backward()
