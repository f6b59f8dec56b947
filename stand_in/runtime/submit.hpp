#pragma once

#include "stand_in/runtime.hpp"
#include "stand_in/runtime/machine.hpp"

#include <cuda_runtime_api.h>

#include <functional>
#include <memory>

namespace stand_in {

/// A command for a stream, and whether the caller waits for its end.
struct Order {
  Command command;
  bool waits = false;         // forbidden in a capture
  bool even_if_lost = false;  // see Stream::Item
};

/// Queues the work, or makes it a node of the stream's capture.
cudaError_t give(const std::shared_ptr<Stream>& stream, const Order& order, std::function<void()> work);

/// Puts work on a stream that is in no capture, uncounted.
Mark queue(const std::shared_ptr<Stream>& stream, Stream::Item item);

}  // namespace stand_in
