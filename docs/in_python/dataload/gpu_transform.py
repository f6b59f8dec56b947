# same: batch
# note: It hurts where the training already fills the GPU, and for samples so small that kernels take longer to start than to run.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
sample = torch.rand(2048, 256)

# before
batch = (sample - sample.mean(dim=0)) / sample.std(dim=0)  # on the processor
batch = batch.to(device)

# after
batch = sample.to(device)
batch = (batch - batch.mean(dim=0)) / batch.std(dim=0)  # on the GPU
