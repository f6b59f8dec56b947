# needs: cuda
# note: Replay such graphs in the order of their capture and never at once, and use a result before the next replay.
import torch

torch.set_grad_enabled(False)
model = torch.nn.Linear(64, 64).cuda()
inputs = torch.randn(256, 64, device="cuda")
side = torch.cuda.Stream()
side.wait_stream(torch.cuda.current_stream())
with torch.cuda.stream(side):
    for size in (256, 128, 64):
        model(inputs[:size])  # warms up
torch.cuda.synchronize()
graphs, outputs = {}, {}

# before
for size in (256, 128, 64):
    graphs[size] = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graphs[size]):  # reserves memory of its own
        outputs[size] = model(inputs[:size])

# after
pool = torch.cuda.graph_pool_handle()
for size in (256, 128, 64):  # begins with the largest
    graphs[size] = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graphs[size], pool=pool):  # takes what the graph before gave back
        outputs[size] = model(inputs[:size])
