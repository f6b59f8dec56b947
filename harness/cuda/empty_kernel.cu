#include "harness/cuda/canary_kernels.hpp"

namespace harness::inline cuda {
namespace {

__global__ void empty_kernel() {}

}  // namespace

cudaError_t run_empty_kernel() {
  empty_kernel<<<1, 1>>>();
  const auto launched = cudaGetLastError();
  return launched != cudaSuccess ? launched : cudaDeviceSynchronize();
}

}  // namespace harness::inline cuda
