// Bytes in a file without a name, the ways in which they get into this process's memory, and what is at the
// end of a way from there: the device's memory, or a checksum on the CPU.
#pragma once

#include "harness/core/step.hpp"
#include "harness/cuda/check.hpp"
#include "harness/cuda/pageable_pinned_device_buffers.hpp"
#include "harness/cuda/stream.hpp"
#include "harness/support/fd.hpp"

#include "microbench/dataload/epoch.hpp"
#include "microbench/transfer/copies.hpp"

#include <fcntl.h>
#include <filesystem>
#include <sys/resource.h>

namespace microbench {

[[noreturn]] inline void throw_errno(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

/// A file in the folder for temporary files. Its name is taken away as soon as it is open, so that nothing of
/// it outlives the process, however that ends.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::span<const std::byte> bytes) : size_(bytes.size()) {
    if (!harness::write_all(file_.get(), {reinterpret_cast<const char*>(bytes.data()), bytes.size()}))
      throw_errno("writing a temporary file");
  }
  int get() const { return file_.get(); }
  std::size_t size() const { return size_; }

  /// All of the file into `out`, which is as long.
  void read(std::span<std::byte> out) const { read_all(file_.get(), out); }

  /// The same past the page cache, from where the file system allows it: `out` begins at a page, and its size
  /// is one of whole pages. False where it does not.
  bool read_direct(std::span<std::byte> out) const {
    const auto name = "/proc/self/fd/" + std::to_string(file_.get());
    const harness::Fd direct(open(name.c_str(), O_RDONLY | O_DIRECT | O_CLOEXEC));
    if (direct.get() < 0) return false;
    read_all(direct.get(), out);
    return true;
  }

  /// True if the system reads the file so into `out`: some file systems open it and refuse to, and memory
  /// that a driver has mapped may be refused.
  bool reads_direct_into(std::span<std::byte> out) const {
    try {
      return read_direct(out);
    } catch (const std::system_error&) {
      return false;
    }
  }

  /// Writes out what only the page cache has. After that evict() can work.
  void flush() const {
    if (fdatasync(file_.get()) != 0) throw_errno("writing a temporary file to its disk");
  }
  /// Asks the system to forget the file's pages, as if nobody had read it.
  void evict() const { posix_fadvise(file_.get(), 0, 0, POSIX_FADV_DONTNEED); }

 private:
  static void read_all(int file, std::span<std::byte> out) {
    for (std::size_t at = 0; at < out.size();) {
      const auto n = pread(file, out.data() + at, out.size() - at, static_cast<off_t>(at));
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) throw_errno("reading a temporary file");
      at += static_cast<std::size_t>(n);
    }
  }
  harness::Fd file_ = harness::unnamed_file_on_disk();
  std::size_t size_ = 0;
};

/// Owns pages of this process's address space.
class Pages {
 public:
  /// The file's own pages in the page cache, to be read only.
  static Pages of(const TemporaryFile& file) { return {file.size(), PROT_READ, MAP_PRIVATE, file.get()}; }
  /// Pages that nobody has touched, as a fresh block of memory has them.
  static Pages fresh(std::size_t size) {
    return {size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1};
  }
  std::span<std::byte> bytes() const { return {pages_.get(), pages_.get_deleter().size}; }
  /// True if reading one of them would not have to wait for a disk.
  bool in_memory() const {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    std::vector<unsigned char> there((bytes().size() + page - 1) / page);
    if (mincore(pages_.get(), bytes().size(), there.data()) != 0) throw_errno("looking at pages");
    return std::ranges::any_of(there, [](unsigned char page_there) { return page_there % 2 != 0; });
  }

 private:
  struct Unmap {
    std::size_t size;
    void operator()(std::byte* bytes) const noexcept { munmap(bytes, size); }
  };
  Pages(std::size_t size, int access, int flags, int file) {
    void* raw = mmap(nullptr, size, access, flags, file, 0);
    if (raw == MAP_FAILED) throw_errno("mapping memory");
    pages_ = {static_cast<std::byte*>(raw), Unmap{size}};
  }
  std::unique_ptr<std::byte, Unmap> pages_;
};

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
