# same: bias
import io

import torch

model = torch.nn.Linear(8, 8)

# before
buffer = io.BytesIO()
torch.save(model.state_dict(), buffer)  # a copy of all tensors
with open("model.pt", "wb") as file:
    file.write(buffer.getvalue())  # and another one
bias = torch.load("model.pt")["bias"]

# after
torch.save(model.state_dict(), "model.pt")  # writes each tensor from where it lies
bias = torch.load("model.pt")["bias"]
