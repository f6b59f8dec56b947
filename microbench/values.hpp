// What the steps on LibTorch's operators share: where their tensors live, what is in them, random numbers on
// the device that a step runs on, and what the device's arithmetic must offer for a point to say something.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/core/step.hpp"
#include "harness/cuda/device.hpp"
#include "harness/libtorch/answer.hpp"
#include "harness/libtorch/generator.hpp"

#include <ATen/ATen.h>

namespace microbench {

/// float32 on the row's device.
inline at::TensorOptions floats_on(const harness::Device& device) {
  return at::TensorOptions().device(harness::torch_device(device)).dtype(at::kFloat);
}

/// Normally distributed float32 from the seed, made on the row's device; another `which`, other values.
inline at::Tensor normal_values(const harness::Setup& setup, at::IntArrayRef shape, std::uint64_t which = 0) {
  const auto generator = harness::generator_on(harness::torch_device(setup.device), setup.seed + which);
  return at::randn(shape, generator, floats_on(setup.device));
}

/// Events where only the device's time counts; the host has none.
inline harness::Timer device_timer(const harness::Device& device) {
  return device.is_cuda() ? harness::Timer::event : harness::Timer::wall;
}

/// Throws Skip where a CUDA device is older than compute capability `major`.0, which `what` needs.
inline void require_capability(const harness::Device& device, int major, const std::string& what) {
  if (harness::device_attribute(cudaDevAttrComputeCapabilityMajor, device.index) < major)
    throw harness::Skip(what + " needs compute capability " + std::to_string(major) + ".0 or above");
}

/// A generator of the setup's device, seeded with the setup's seed.
inline at::Generator generator_of(const harness::Setup& setup) {
  return harness::generator_on(harness::torch_device(setup.device), setup.seed);
}

}  // namespace microbench
