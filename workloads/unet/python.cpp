#include "workloads/unet/python.hpp"

namespace workloads::unet {

std::string_view python() {
  return R"python(
def twice(x, name, p, b):
    for i in (0, 3):
        x = F.conv2d(x, p[f"{name}.double_conv.{i}.weight"], None, 1, 1)
        x = F.relu(batch_norm(x, f"{name}.double_conv.{i + 1}", p, b))
    return x

def output_of(x, p, b):
    across = [twice(x, "inc", p, b)]
    for i in range(1, 5):
        across.append(twice(F.max_pool2d(across[-1], 2), f"down{i}.maxpool_conv.1", p, b))
    x = across.pop()
    for i in range(1, 5):
        larger = F.conv_transpose2d(x, p[f"up{i}.up.weight"], p[f"up{i}.up.bias"], 2)
        x = twice(torch.cat([across.pop(), larger], 1), f"up{i}.conv", p, b)
    return F.conv2d(x, p["outc.conv.weight"], p["outc.conv.bias"])

def loss_of(output, y):
    return F.mse_loss(output, y)
)python";
}

}  // namespace workloads::unet
