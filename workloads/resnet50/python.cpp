#include "workloads/resnet50/python.hpp"

namespace workloads::resnet50 {

std::string_view python() {
  return R"python(
def normed(x, convolution, norm, p, b, stride=1, padding=0):
    return batch_norm(F.conv2d(x, p[convolution + ".weight"], None, stride, padding), norm, p, b)

def bottleneck(x, name, stride, p, b):
    y = F.relu(normed(x, name + ".conv1", name + ".bn1", p, b))
    y = F.relu(normed(y, name + ".conv2", name + ".bn2", p, b, stride, 1))
    y = normed(y, name + ".conv3", name + ".bn3", p, b)
    shortcut = name + ".downsample."
    if shortcut + "0.weight" in p:
        x = normed(x, shortcut + "0", shortcut + "1", p, b, stride)
    return F.relu(y + x)

def output_of(x, p, b):
    x = F.max_pool2d(F.relu(normed(x, "conv1", "bn1", p, b, 2, 3)), 3, 2, 1)
    for layer, blocks in enumerate([3, 4, 6, 3], 1):
        for i in range(blocks):
            x = bottleneck(x, f"layer{layer}.{i}", 2 if i == 0 and layer > 1 else 1, p, b)
    return F.linear(x.mean((2, 3)), p["fc.weight"], p["fc.bias"])

def loss_of(output, y):
    return F.cross_entropy(output, y)
)python";
}

}  // namespace workloads::resnet50
