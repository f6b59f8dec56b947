# needs: cuda
# same: weight
# note: Before the capture run a few steps on a side stream, and give Adam capturable=True; with large batches it gains nothing.
import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(8, 8)

    def forward(self, batch):
        return (self.layer(batch) - batch).square().mean()


model = Model().cuda()
weight = model.layer.weight
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
static_batch = torch.randn(16, 8, device="cuda")
loader = [torch.randn(16, 8, device="cuda") for _ in range(3)]
side = torch.cuda.Stream()
side.wait_stream(torch.cuda.current_stream())
with torch.cuda.stream(side):
    for _ in range(3):
        optimizer.zero_grad()
        model(static_batch).backward()
        optimizer.step()
torch.cuda.current_stream().wait_stream(side)

# before
for batch in loader:
    optimizer.zero_grad()
    model(batch).backward()  # the model returns its loss
    optimizer.step()

# after
optimizer.zero_grad()
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):  # records the whole step
    model(static_batch).backward()  # the model returns its loss
    optimizer.step()
for batch in loader:
    static_batch.copy_(batch)  # puts the batch where the graph reads it
    graph.replay()
