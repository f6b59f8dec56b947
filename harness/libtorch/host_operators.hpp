// What a program's operators do on host tensors, for whoever replays it without running it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace harness::inline libtorch {

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

}  // namespace harness::inline libtorch
