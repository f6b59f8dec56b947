// The largest batch that fits, found by trying.
#pragma once

#include <cstdint>
#include <functional>

namespace workloads::training {

/// The largest batch of which `fits` says so, a sixteenth too small at most; 0: not even one sample fits.
/// Begins at `guess`, doubles or halves until one fits and one does not, and bisects between them.
std::int64_t largest_batch(std::int64_t guess, const std::function<bool(std::int64_t)>& fits);

}  // namespace workloads::training
