// How much memory a piece of work needs at its peak.
#pragma once

#include <functional>

namespace harness::inline libtorch {

/// The most bytes that LibTorch held at any moment of `run` above what it held at the start, host and device
/// together: as requested on the host, as the caching allocator rounds them on a device. What `run` frees
/// counts only if `run` allocated it, on the host; so drop old results before. Seen are the calling thread
/// and autograd's; not memory that bypasses LibTorch.
double peak_bytes(const std::function<void()>& run);

}  // namespace harness::inline libtorch
