// How large a workload's step is: a device trains the published size or the largest share that fits, a CPU a
// small one. How much memory a fresh process needs for a piece of work, and the largest batch that fits,
// found by trying.
#pragma once

#include "harness/core/setup.hpp"

#include <array>

namespace workloads::training {

/// The scales that a device is given where nobody names one.
constexpr std::array<double, 3> device_scales{1, 1. / 4, 1. / 16};
/// What a workload's rows take of a device's memory at these scales, in GB.
using Gigabytes = std::array<double, 3>;

/// The first of `device_scales` that fits into so many bytes, else the last.
double fitting_scale(double bytes, const Gigabytes& needed);
/// The one for the device; 1 where no device says how much memory it has.
double fitting_scale(const harness::Device& device, const Gigabytes& needed);

/// What --scale says; else, on a device, the largest scale that fits. 0: the size for a CPU, which the
/// stand-in takes too, since it computes on one.
double scale_for(const harness::Setup& setup, const Gigabytes& needed);

/// A side of something whose area has the scale, as a multiple of `step`.
std::int64_t side_at(double scale, std::int64_t side, std::int64_t step);

/// Says on standard error, once in a worker, that a device's memory holds no more than this scale.
void tell_scale(harness::Setup& setup, const std::string& workload, double scale);

/// The bytes by which this process grew up to the peak of `run`; on a device, the most that LibTorch's
/// allocator has reserved there. Worth asking once a process: a peak before `run` would count too.
double growth_by(const harness::Device& device, const std::function<void()>& run);

/// The largest batch of which `fits` says so, a sixteenth too small at most; 0: not even one sample fits.
/// Begins at `guess`, doubles or halves until one fits and one does not, and bisects between them.
std::int64_t largest_batch(std::int64_t guess, const std::function<bool(std::int64_t)>& fits);

}  // namespace workloads::training
