// New generators of random numbers by LibTorch's public means, which all its versions from 2.11 on have.
#pragma once

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/Generator.h>
#include <ATen/cuda/CUDAGeneratorImpl.h>

namespace harness::inline libtorch {

inline at::Generator host_generator(std::uint64_t seed) {
  return at::make_generator<at::CPUGeneratorImpl>(seed);
}

/// One on that device, the host or CUDA's.
inline at::Generator generator_on(const at::Device& device, std::uint64_t seed) {
  if (device.is_cpu()) return host_generator(seed);
  auto generator = at::make_generator<at::CUDAGeneratorImpl>(device.index());
  generator.set_current_seed(seed);
  return generator;
}

}  // namespace harness::inline libtorch
