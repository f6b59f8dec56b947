# needs: cuda
# same: product counts
# note: It concerns ordinary streams that other libraries have made; the default stream does not bind those of torch.cuda.Stream().
import ctypes

import torch

handle = ctypes.c_void_p()
torch.cuda.check_error(torch.cuda.cudart().cudaStreamCreate(ctypes.addressof(handle)))
library_stream = torch.cuda.ExternalStream(handle.value)
weights, counts = torch.rand(512, 512, device="cuda"), torch.zeros(256, device="cuda")

# before
with torch.cuda.stream(library_stream):
    product = weights @ weights
counts += 1  # in the default stream: waits for the library's, and holds it up
torch.cuda.synchronize()

# after
own_stream = torch.cuda.Stream()
own_stream.wait_stream(torch.cuda.current_stream())  # counts must be there
with torch.cuda.stream(library_stream):
    product = weights @ weights
with torch.cuda.stream(own_stream):
    counts += 1
torch.cuda.synchronize()
