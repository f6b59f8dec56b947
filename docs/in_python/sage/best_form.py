# same: weight
# note: In PyTorch Geometric NeighborLoader with num_workers and pin_memory, whose workers gather, trim_to_layer in the model, Adam with fused=True; in DGL DataLoader with num_workers or a GPU sampler.
import torch
from torch.nn.functional import cross_entropy
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(2)
model, samples = torch.nn.Linear(4, 3), TensorDataset(torch.randn(64, 4), torch.randint(3, (64,)))
weight, cuda = model.weight, torch.cuda.is_available()


def train(loader, optimizer, log_every):
    for step, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        loss = cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        if step % log_every == 0:
            print(loss.item())


# before
train(DataLoader(samples, batch_size=8), torch.optim.Adam(model.parameters()), log_every=1)

# after
ahead = DataLoader(samples, batch_size=8, num_workers=2, pin_memory=cuda)
train(ahead, torch.optim.Adam(model.parameters(), fused=True), log_every=50)
