# note: BF16 needs no scaling; to clip gradients, call scaler.unscale_(optimizer) before clip_grad_norm_.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
model = torch.nn.Linear(8, 1).to(device)
for parameter in model.parameters():
    torch.nn.init.zeros_(parameter)
loss_fn = torch.nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
inputs, targets = torch.randn(4096, 8, device=device), 1e-5 * torch.randn(4096, 1, device=device)

# before
with torch.amp.autocast("cuda", dtype=torch.float16):
    loss = loss_fn(model(inputs), targets)
loss.backward()  # rounds small FP16 gradients to zero
optimizer.step()

# after
scaler = torch.amp.GradScaler("cuda")  # once, before the loop
with torch.amp.autocast("cuda", dtype=torch.float16):
    loss = loss_fn(model(inputs), targets)
scaler.scale(loss).backward()  # multiplies the loss, so that FP16 can hold the gradients
scaler.step(optimizer)  # divides the gradients again, in FP32
scaler.update()
