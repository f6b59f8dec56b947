// A file, the ways from it, and what is at their end: the device's memory, or a checksum on the CPU.
#pragma once

#include "harness/cuda/buffer.hpp"
#include "harness/cuda/check.hpp"
#include "harness/cuda/stream.hpp"
#include "harness/step.hpp"

#include "microbench/dataload/epoch.hpp"
#include "microbench/dataload/file_bytes.hpp"
#include "microbench/transfer/copies.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <sys/resource.h>

namespace microbench {

/// read() into fresh memory; a mapping; read() into kept memory; the same, pinned; and past the page cache.
enum class Way { fresh, mapped, kept, pinned, direct };

/// On the CPU there is no stream. `content` is one of whole pages.
class DiskPath {
 public:
  DiskPath(std::span<const std::byte> content, const harness::Stream* on, bool cold)
      : file_(content), kept_(Pages::fresh(content.size())), stream_(on), cold_(cold) {
    std::ranges::fill(kept_.bytes(), std::byte{});  // so that its pages are there
    if (stream_ == nullptr) return;
    pinned_.emplace(content.size());
    device_.emplace(content.size());
  }

  /// When it returns, nobody needs the bytes any more. Cold, it begins with a file that nobody has read.
  void run(Way way) {
    if (cold_) file_.evict();
    if (way == Way::mapped) return use(Pages::of(file_).bytes());
    if (way == Way::fresh) return use_read(Pages::fresh(file_.size()).bytes());
    if (way == Way::kept) return use_read(kept_.bytes());
    const auto into = pinned_ ? pinned_->bytes() : kept_.bytes();
    if (way == Way::pinned) return use_read(into);
    file_.read_direct(into);
    use(into);
  }

  /// True if the file has left the page cache when it was asked to, and can be read past it.
  bool has_disk() {
    file_.flush();
    file_.evict();
    return !Pages::of(file_).in_memory() && file_.read_direct(kept_.bytes());
  }

  void clear() {
    checksum_ = 0;
    if (!device_) return;
    harness::check(cudaMemsetAsync(device_->data(), 0xA5, device_->size(), stream_->get()));
    stream_->synchronize();
  }
  harness::Answer answer() const {
    return device_ ? harness::Answer(read_back(*device_, *stream_)) : bytes_of(checksum_);
  }

 private:
  void use_read(std::span<std::byte> into) {
    file_.read(into);
    use(into);
  }
  void use(std::span<const std::byte> bytes) {
    if (!device_) {
      checksum_ = checksum_of(bytes);
      return;
    }
    harness::check(
        cudaMemcpyAsync(device_->data(), bytes.data(), bytes.size(), cudaMemcpyHostToDevice, stream_->get()));
    stream_->synchronize();
  }

  TemporaryFile file_;
  Pages kept_;
  const harness::Stream* stream_;
  std::optional<harness::PinnedBuffer> pinned_;
  std::optional<harness::DeviceBuffer> device_;
  bool cold_;
  std::uint64_t checksum_ = 0;
};

/// How many pages were found missing during `run`.
inline double page_faults(const std::function<void()>& run) {
  const auto so_far = [] {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt;
  };
  const auto before = so_far();
  run();
  return static_cast<double>(so_far() - before);
}

}  // namespace microbench
