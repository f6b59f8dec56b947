// LibTorch made ready for measuring: its threads, its current stream, its memory between rows, its notices
// that tell a user nothing.
#pragma once

#include "harness/core/measurement.hpp"
#include "harness/core/setup.hpp"
#include "harness/core/slot_order.hpp"
#include "harness/cuda/stream.hpp"

#include <c10/util/Logging.h>

namespace harness::inline libtorch {

/// LibTorch's part of one worker process. CUDA is touched at the first CUDA row only.
class TorchRuntime {
 public:
  explicit TorchRuntime(int threads);
  ~TorchRuntime();

  /// The harness's stream on that device, made LibTorch's current one; null for the host.
  const Stream* stream_for(const Device& device);
  /// Gives back what LibTorch's allocators keep for later, on the device and of pinned memory, so that a row
  /// starts like the first. Call it when the device has finished. Throws where the device fails.
  void release_memory() const;

 private:
  struct Cuda;
  std::unique_ptr<Cuda> cuda_;
};

/// Memory of random length that nobody uses: it moves what is allocated next. On a device that is a block of
/// LibTorch's allocator, some of the 2 MiB that the driver maps at once, and pinned memory.
std::shared_ptr<const void> spacer(const Device& device, Random& random);

/// An exception in the words of the results file.
Fault fault_of(const std::exception& error, const Device& device);

/// "2.11.0" and "AVX2": LibTorch's version and the instruction set it has chosen.
std::string torch_version();
std::string torch_cpu_capability();

/// While it lives, LibTorch prints errors only. Whoever listens to its allocator would else read now and then
/// of blocks that are older than the listening. A setting of the whole process.
class Quiet {
 public:
  Quiet() : before_(std::exchange(FLAGS_caffe2_log_level, errors)) {}
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;
  ~Quiet() { FLAGS_caffe2_log_level = before_; }

 private:
  static constexpr int errors = 2;
  int before_;
};

}  // namespace harness::inline libtorch
