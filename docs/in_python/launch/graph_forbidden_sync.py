# needs: cuda
# note: print, .cpu(), torch.nonzero and indexing by a mask wait as well, and are refused.
import torch

torch.set_grad_enabled(False)
model = torch.nn.Linear(8, 8).cuda()
host_batch = torch.ones(4, 8)
static_inputs = torch.zeros(4, 8, device="cuda")
side = torch.cuda.Stream()
side.wait_stream(torch.cuda.current_stream())
with torch.cuda.stream(side):
    model(static_inputs).sum()  # warms up
torch.cuda.synchronize()

# before
def step_to_capture():  # raises an error when it is captured
    inputs = host_batch.to("cuda", non_blocking=True)  # copies from unpinned memory
    return model(inputs).sum().item()  # waits for the GPU

# after
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    total = model(static_inputs).sum()
static_inputs.copy_(host_batch)  # copies before the replay
graph.replay()
value = total.item()  # waits after the replay
