# same: scores
# note: The scores of all batches then lie on the device together.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
model = torch.nn.Linear(4, 1).to(device)
batches = [torch.randn(8, 4, device=device) for _ in range(5)]

# before
scores = []
with torch.no_grad():
    for batch in batches:
        scores.append(model(batch).cpu())  # waits for each batch's forward pass
scores = torch.cat(scores)

# after
scores = []
with torch.no_grad():
    for batch in batches:
        scores.append(model(batch))
scores = torch.cat(scores).cpu()  # waits and copies once
