// Work in a process of its own, run on call: for what a process reads once, such as an environment variable.
#pragma once

#include "harness/support/process_loader.hpp"

#include <limits>
#include <stdexcept>

namespace harness::inline support {

/// A call takes the work's own time and that of two messages, some tens of microseconds.
class RemoteWork {
 public:
  /// Starts the process, with `environment` ("NAME=value") in place of what ours says, and runs the work
  /// once. `source` writes an answer of so many bytes. Throws as ProcessLoader does.
  RemoteWork(const BatchSource& source, std::size_t answer_bytes, std::vector<std::string> environment)
      : loader_(source, {.batches = std::numeric_limits<std::int64_t>::max() / 2,
                         .batch_bytes = answer_bytes,
                         .workers = 1,
                         .prefetch = 1,
                         .environment = std::move(environment)}) {
    run();
  }

  /// Runs the work and waits for its end. Throws std::runtime_error where the work throws or its process
  /// dies.
  void run() {
    const auto written = loader_.next();
    if (!written) throw std::logic_error("no work runs that often");
    answer_ = *written;
  }
  /// What the last run wrote, until the next; nothing after forget().
  std::span<const std::byte> answer() const { return answer_; }
  void forget() { answer_ = {}; }

 private:
  ProcessLoader loader_;
  std::span<const std::byte> answer_;
};

}  // namespace harness::inline support
