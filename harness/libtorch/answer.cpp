#include "harness/libtorch/answer.hpp"

#include <ATen/ATen.h>

namespace harness::inline libtorch {

Answer numbers_of(const at::Tensor& tensor) {
  const auto flat = tensor.detach().to(at::kCPU, at::kFloat).contiguous().view(-1);
  const auto* data = flat.const_data_ptr<float>();
  return std::vector<float>(data, data + flat.numel());
}

at::Device torch_device(const Device& device) {
  return device.is_cuda() ? at::Device(at::kCUDA, static_cast<at::DeviceIndex>(device.index))
                          : at::Device(at::kCPU);
}

}  // namespace harness::inline libtorch
