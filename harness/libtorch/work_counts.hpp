// What a piece of work asks of LibTorch, counted, what its operators do on host tensors, for whoever replays
// it without running it, and how much memory it needs at its peak.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace harness::inline libtorch {

struct WorkCounts {
  std::int64_t operators = 0;    // calls through the dispatcher, nested ones too
  std::int64_t allocations = 0;  // by LibTorch's allocators, of the host and of devices
  std::int64_t bytes = 0;        // of these allocations
  // Bytes that copies read, by direction.
  std::int64_t copied_to_device = 0;
  std::int64_t copied_from_device = 0;
  std::int64_t copied_within = 0;  // the host, or one device
  std::int64_t numbers_read = 0;   // by .item() and its like: on a device each waits for its work
  bool operator==(const WorkCounts&) const = default;
};

/// Runs `work`; true where it has a profiler on while an operator runs. Then it cannot be counted.
bool profiles_itself(const std::function<void()>& work);

/// Runs `work`; true where other threads call operators meanwhile, as a loader's workers do, which
/// count_calls() does not see. Autograd's threads work for the calling one and are no others. Not to be
/// nested.
bool other_threads_call(const std::function<void()>& work);

/// Of `work`, on the calling thread and on autograd's threads while they work for it. Not to be nested, nor
/// with a profiler on. Throws what `work` throws.
WorkCounts count_calls(const std::function<void()>& work);

/// An operator of host tensors alone: bytes read and written, and of these the bytes of new tensors.
struct HostOperator {
  std::string name;
  std::int64_t bytes = 0;
  std::int64_t fresh = 0;
};

/// Calls `seen` after each outermost operator of host tensors alone that the calling thread calls, until the
/// result is gone. Views and empty tensors move no bytes. Copies between host and device are none, but what
/// they do on the host before counts. Only one at a time in a thread.
std::shared_ptr<const void> watch_host_operators(std::function<void(const HostOperator&)> seen);

/// The most bytes that LibTorch held at any moment of `run` above what it held at the start, host and device
/// together: as requested on the host, as the caching allocator rounds them on a device. What `run` frees
/// counts only if `run` allocated it, on the host; so drop old results before. Seen are the calling thread
/// and autograd's; not memory that bypasses LibTorch.
double peak_bytes(const std::function<void()>& run);

}  // namespace harness::inline libtorch
