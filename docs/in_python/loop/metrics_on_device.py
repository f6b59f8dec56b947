# same: total_loss correct
import torch
from torch.nn.functional import cross_entropy

device = "cuda" if torch.cuda.is_available() else "cpu"
model = torch.nn.Linear(8, 3).to(device)
loader = [(torch.randn(16, 8, device=device), torch.randint(3, (16,), device=device)) for _ in range(5)]

# before
total_loss, correct = 0.0, 0
for inputs, target in loader:
    logits = model(inputs)
    total_loss += cross_entropy(logits, target).item()  # waits for the GPU
    correct += (logits.argmax(1) == target).sum().item()  # and again

# after
total_loss, correct = torch.zeros(2, dtype=torch.float64, device=device)
for inputs, target in loader:
    logits = model(inputs)
    total_loss += cross_entropy(logits, target).detach()
    correct += (logits.argmax(1) == target).sum()
total_loss, correct = total_loss.item(), correct.item()  # waits when the epoch is over
