// Puts work and copies on streams: queued, or a node of the capture that the stream is in.
#pragma once

#include "stand_in/runtime.hpp"
#include "stand_in/runtime/machine.hpp"

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

/// One copy: `height` rows of `width` bytes.
struct Copy {
  void* to = nullptr;
  const void* from = nullptr;
  std::size_t width = 0;
  std::size_t height = 1;
  std::size_t to_pitch = 0, from_pitch = 0;

  std::size_t bytes() const { return width * height; }
  std::size_t to_span() const { return height == 0 ? 0 : (height - 1) * to_pitch + width; }
  std::size_t from_span() const { return height == 0 ? 0 : (height - 1) * from_pitch + width; }
};

enum class Returns { when_queued, when_done };

/// Queues the copy as CUDA does: what it does with pageable memory, and when the caller goes on.
cudaError_t copy(const Copy& copy, const std::shared_ptr<Stream>& stream, Returns returns);

/// Where bytes of a checked place are found by a stream's thread.
void* work_address(const void* p);

}  // namespace stand_in
