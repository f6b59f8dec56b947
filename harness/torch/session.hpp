// LibTorch made ready for measuring: its threads, its current stream, its memory between rows.
#pragma once

#include "harness/cuda/stream.hpp"
#include "harness/setup.hpp"

#include <cstddef>
#include <exception>
#include <memory>
#include <string>

namespace harness {

/// LibTorch's part of one worker process. CUDA is touched at the first CUDA row only.
class TorchSession {
 public:
  explicit TorchSession(int threads);
  ~TorchSession();

  /// The harness's stream on that device, made LibTorch's current one; null for the host.
  const Stream* stream_for(const Device& device);
  /// Gives back what LibTorch's allocators keep for later, so that a row starts like the first.
  void release_memory() const;

 private:
  struct Cuda;
  std::unique_ptr<Cuda> cuda_;
};

/// Bytes on the device (or the host) that nobody uses: they move what is allocated next.
std::shared_ptr<const void> spacer(const Device& device, std::size_t bytes);

/// An exception in the words of the results file.
struct Fault {
  bool out_of_memory = false;
  std::string sentence;  // out of memory: "needs X, Y free" as far as known
};
Fault fault_of(const std::exception& error, const Device& device);

/// "2.11.0" and "AVX2": LibTorch's version and the instruction set it has chosen.
std::string torch_version();
std::string torch_cpu_capability();

}  // namespace harness
