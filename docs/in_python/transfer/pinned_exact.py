# needs: cuda
# same: on_gpu
# note: Keep the tensor as long as the program, or call cudaHostUnregister before it goes; since PyTorch 2.13 PYTORCH_ALLOC_CONF=pinned_max_round_threshold_mb:64 does it.
import torch

# before
host = torch.zeros(129 * 2**20, dtype=torch.uint8, pin_memory=True)  # locks 256 MiB
on_gpu = host.to("cuda", non_blocking=True)
torch.cuda.synchronize()

# after
host = torch.zeros(129 * 2**20, dtype=torch.uint8)
torch.cuda.cudart().cudaHostRegister(host.data_ptr(), host.nbytes, 0)  # locks 129 MiB
on_gpu = host.to("cuda", non_blocking=True)
torch.cuda.synchronize()
