# note: A narrower network can express less, so compare what it learns, too; where the step waits for launches nothing is gained.
import torch

# before
mlp = torch.nn.Sequential(
    torch.nn.Linear(64, 256),  # keeps 256 values for each row until the backward pass
    torch.nn.GELU(),
    torch.nn.Linear(256, 64),
)

# after
mlp = torch.nn.Sequential(
    torch.nn.Linear(64, 128),  # keeps half as many
    torch.nn.GELU(),
    torch.nn.Linear(128, 64),
)
