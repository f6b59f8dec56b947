// How long a run takes, for steps that count the compiler's seconds beside it.
#pragma once

#include "harness/core/setup.hpp"

#include "microbench/host_time.hpp"

namespace microbench {

/// Seconds of one run, the device's part included.
template <class Run>
double run_seconds(const harness::Device& device, const Run& run) {
  const auto wait = [&] {
    if (device.is_cuda()) harness::check(cudaDeviceSynchronize());
  };
  return typical_host_seconds(wait, [&] {
    run();
    wait();
  });
}

}  // namespace microbench
