// A file, and what is at the end of its way: the device's memory, or a checksum on the CPU.
#pragma once

#include "harness/cuda/buffer.hpp"
#include "harness/cuda/check.hpp"
#include "harness/cuda/stream.hpp"

#include "microbench/dataload/epoch.hpp"
#include "microbench/dataload/file_bytes.hpp"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <sys/resource.h>

namespace microbench {

/// On the CPU there is no stream.
struct DiskPath {
  DiskPath(std::span<const std::byte> content, const harness::Stream* on) : file(content), stream(on) {
    if (stream == nullptr) {
      pageable.emplace(content.size());
    } else {
      pinned.emplace(content.size());
      device.emplace(content.size());
    }
  }
  std::span<std::byte> kept() const { return pinned ? pinned->bytes() : pageable->bytes(); }
  /// When it returns, nobody needs the bytes any more.
  void use(std::span<const std::byte> bytes) {
    if (!device) {
      checksum = checksum_of(bytes);
      return;
    }
    harness::check(
        cudaMemcpyAsync(device->data(), bytes.data(), bytes.size(), cudaMemcpyHostToDevice, stream->get()));
    stream->synchronize();
  }
  TemporaryFile file;
  const harness::Stream* stream;
  std::optional<harness::PageableBuffer> pageable;
  std::optional<harness::PinnedBuffer> pinned;
  std::optional<harness::DeviceBuffer> device;
  std::uint64_t checksum = 0;
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
