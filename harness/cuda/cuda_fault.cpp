#include "harness/cuda/cuda_fault.hpp"

#include "harness/cuda/check.hpp"
#include "harness/support/quantity.hpp"

namespace harness::inline cuda {

Fault device_fault(const std::exception& error, const Device& device) {
  const auto* const cuda = dynamic_cast<const CudaError*>(&error);
  if (cuda == nullptr) return host_fault(error, device);
  return cuda->status() == cudaErrorMemoryAllocation
             ? device_memory_fault("needs more memory than is available")
             : Fault{false, first_line(error.what())};
}

Fault device_memory_fault(const std::string& needs) {
  std::size_t free = 0;
  std::size_t total = 0;
  const bool known = cudaMemGetInfo(&free, &total) == cudaSuccess;
  cudaGetLastError();
  return {true, needs + (known ? ", " + memory_text(static_cast<double>(free)) + " free" : "")};
}

}  // namespace harness::inline cuda
