#include "microbench/values.hpp"

namespace microbench {

at::Generator generator_of(const harness::Setup& setup) {
  if (!setup.device.is_cuda()) return at::detail::createCPUGenerator(setup.seed);
  auto generator = at::cuda::detail::createCUDAGenerator(static_cast<at::DeviceIndex>(setup.device.index));
  generator.set_current_seed(setup.seed);
  return generator;
}

}  // namespace microbench
