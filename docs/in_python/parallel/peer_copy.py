# needs: cuda
# same: total
# note: Where the driver refuses peer access, as it may between sockets, the direct copy goes through the host by itself.
import torch

first, second = torch.device("cuda", 0), torch.device("cuda", torch.cuda.device_count() - 1)
numbers = torch.arange(1 << 20, device=first)

# before
total = numbers.cpu().to(second).sum()  # crosses the bus twice

# after
total = numbers.to(second).sum()  # goes from device to device
