# same: outputs
# note: Which operators lose the format changes from version to version, so check after each suspicious one.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
convs = torch.nn.Sequential(torch.nn.Conv2d(8, 8, 1, bias=False), torch.nn.Conv2d(8, 8, 1, bias=False))
for parameter in convs.parameters():
    parameter.data.copy_(torch.randint(-2, 3, parameter.shape))
conv1, conv2 = convs.to(device, memory_format=torch.channels_last)
images = torch.randint(-2, 3, (2, 8, 4, 4), device=device).float().to(memory_format=torch.channels_last)

# before
features = conv1(images).contiguous()  # turns channels_last around to NCHW
outputs = conv2(features)  # turns it back

# after
features = conv1(images)
assert features.is_contiguous(memory_format=torch.channels_last)  # checks the format
outputs = conv2(features)
