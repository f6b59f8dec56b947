#include "harness/cuda/fault.hpp"

#include "harness/cuda/check.hpp"

#include <array>
#include <cstddef>
#include <cstdio>

namespace harness::inline cuda {
namespace {

std::string gibibytes(std::size_t bytes) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.2f GiB", static_cast<double>(bytes) / (1024.0 * 1024 * 1024));
  return text.data();
}

}  // namespace

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
  return {true, needs + (known ? ", " + gibibytes(free) + " free" : "")};
}

}  // namespace harness::inline cuda
