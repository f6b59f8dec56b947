#include "workloads/training/network.hpp"

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <c10/core/GradMode.h>

#include <cmath>

namespace workloads::training {

void initialise(const Network& network, double gain, std::uint64_t seed) {
  const c10::NoGradGuard no_gradients;
  auto generator = at::make_generator<at::CPUGeneratorImpl>(seed);
  for (const auto& [name, tensor] : network.parameters) {
    if (tensor.dim() == 1) {
      const bool closed = !network.closed_norms.empty() && name.ends_with(network.closed_norms);
      tensor.fill_(name.ends_with(".weight") && !closed ? 1 : 0);
      continue;
    }
    const auto inputs = static_cast<double>(tensor.numel() / tensor.size(0));
    const auto values = at::randn(tensor.sizes(), generator, at::TensorOptions().dtype(at::kFloat));
    tensor.copy_(values * std::sqrt(gain / inputs));
  }
}

}  // namespace workloads::training
