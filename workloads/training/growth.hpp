// How much memory a fresh process needs for a piece of work.
#pragma once

#include "harness/core/setup.hpp"

#include <functional>

namespace workloads::training {

/// The bytes by which this process grew up to the peak of `run`; on a device, the most that LibTorch's
/// allocator has reserved there. Worth asking once a process: a peak before `run` would count too.
double growth_by(const harness::Device& device, const std::function<void()>& run);

}  // namespace workloads::training
