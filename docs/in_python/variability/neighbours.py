# note: If the slow steps stick out, something else uses the machine: stop it, or take a GPU of your own by CUDA_VISIBLE_DEVICES.
import torch

step_times = 0.01 + 0.001 * torch.rand(200)

# before
print(f"{step_times.mean():.4f} s for a step")  # hides the steps that others made slow

# after
median, slow = step_times.quantile(torch.tensor([0.5, 0.99]))
print(f"{median:.4f} s for a step, the slowest 1 % over {slow / median:.2f} times that")
