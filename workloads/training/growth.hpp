// How much memory a fresh process needs for a piece of work, and the largest batch that fits, found by
// trying.
#pragma once

#include "harness/core/setup.hpp"

namespace workloads::training {

/// The bytes by which this process grew up to the peak of `run`; on a device, the most that LibTorch's
/// allocator has reserved there. Worth asking once a process: a peak before `run` would count too.
double growth_by(const harness::Device& device, const std::function<void()>& run);

/// The largest batch of which `fits` says so, a sixteenth too small at most; 0: not even one sample fits.
/// Begins at `guess`, doubles or halves until one fits and one does not, and bisects between them.
std::int64_t largest_batch(std::int64_t guess, const std::function<bool(std::int64_t)>& fits);

}  // namespace workloads::training
