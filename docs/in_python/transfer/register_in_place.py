# needs: cuda
# same: on_gpu
# note: Keep the tensor alive while it is registered; for data that are sent once or twice a plain copy is quicker.
import torch

data = torch.randn(1024, 1024)

# before
staging = torch.empty(data.shape, pin_memory=True)
for _ in range(100):
    staging.copy_(data)
    on_gpu = staging.to("cuda")

# after
cudart = torch.cuda.cudart()
torch.cuda.check_error(cudart.cudaHostRegister(data.data_ptr(), data.nbytes, 0))
for _ in range(100):
    on_gpu = data.to("cuda")
torch.cuda.check_error(cudart.cudaHostUnregister(data.data_ptr()))
