// A file, the ways from it, and what is at their end: the device's memory, or a checksum on the CPU.
#pragma once

#include "harness/core/step.hpp"
#include "harness/cuda/check.hpp"
#include "harness/cuda/pageable_pinned_device_buffers.hpp"
#include "harness/cuda/stream.hpp"

#include "microbench/dataload/epoch.hpp"
#include "microbench/dataload/file_bytes.hpp"
#include "microbench/transfer/copies.hpp"

#include <sys/resource.h>

namespace microbench {

/// read() into fresh memory; a mapping; read() into kept memory; the same, pinned; and past the page cache.
enum class Way { fresh, mapped, kept, pinned, direct };
struct Ways {
  Way naive, optimized;
};

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

  /// When it returns, nobody needs the bytes any more.
  void run(Way way) {
    if (way == Way::mapped) return use(Pages::of(file_).bytes());
    if (way == Way::fresh) return use_read(Pages::fresh(file_.size()).bytes());
    if (way == Way::kept) return use_read(kept_.bytes());
    const auto into = pinned_or_kept();
    if (way == Way::pinned) return use_read(into);
    file_.read_direct(into);
    use(into);
  }

  /// As a timed run finds the file: in the page cache, or not.
  void set_back() const {
    if (cold_) file_.evict();
  }
  void warm_up(Way way) {
    run(way);
    set_back();
  }
  /// How many pages a run finds missing.
  double faults(Way way) {
    const auto so_far = [] {
      rusage usage{};
      getrusage(RUSAGE_SELF, &usage);
      return usage.ru_minflt + usage.ru_majflt;
    };
    set_back();
    const auto before = so_far();
    run(way);
    return static_cast<double>(so_far() - before);
  }

  /// True if the file has left the page cache when it was asked to, and can be read past it.
  bool has_disk() {
    file_.flush();
    file_.evict();
    return !Pages::of(file_).in_memory() && file_.reads_direct_into(kept_.bytes());
  }
  /// True if Way::direct works: tried here, so that a refusal is a reason and not an error.
  bool reads_directly() const { return file_.reads_direct_into(pinned_or_kept()); }

  void clear() {
    checksum_ = 0;
    if (!device_) return;
    scribble(*device_, *stream_);
  }
  harness::Answer answer() const {
    return device_ ? harness::Answer(read_back(*device_, *stream_)) : bytes_of(checksum_);
  }

 private:
  std::span<std::byte> pinned_or_kept() const { return pinned_ ? pinned_->bytes() : kept_.bytes(); }
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

}  // namespace microbench
