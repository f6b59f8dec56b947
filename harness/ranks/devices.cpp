#include "harness/ranks/devices.hpp"

#include "harness/cuda/check.hpp"
#include "harness/results/stand_in.hpp"

#include <fmt/format.h>

namespace harness::ranks {

void require_devices(const Device& first, int size) {
  if (!first.is_cuda()) return;
  int count = 0;
  check(cudaGetDeviceCount(&count));
  const int left = count - first.index;
  if (left < size)
    throw Skip(
        fmt::format("needs {} CUDA devices from {} on, one for each rank, and there {} {}: NCCL takes no "
                    "two ranks on one device (--ranks 1 runs one rank alone)",
                    size, to_string(first), left == 1 ? "is" : "are", left));
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, first.index));
  if (results::is_stand_in(properties.name)) throw Skip("NCCL cannot run on the stand-in");
}

}  // namespace harness::ranks
