// The way from a file to where it is used: into fresh memory, through a mapping, or into memory that is kept.
//
// The system keeps what was read from a disk in its page cache. read() copies it from there into a buffer. If
// the buffer is new, each of its pages is first found missing, zeroed and mapped, which can cost as much as
// the copy. A mapping of the file saves the copy, but not the faults: every few pages that are touched for
// the first time interrupt the program. A buffer that is kept has neither cost, and if it is pinned the
// device can fetch the bytes out of it without the driver's staging copy. So the longest way is page cache ->
// fresh memory -> the driver's pinned memory -> device, and the shortest is page cache -> kept pinned memory
// -> device.
//
// When it does not matter: if the file is not in the page cache, the disk decides; in small files the calls
// do. Many loads at once that are not waited for each hold a buffer of their own: that is how memory runs
// out.
//
// A row measures one file that lies in the page cache, from there to its end: on a GPU the device's memory,
// on the CPU one pass over the bytes. Fresh memory is mapped by hand, because this program otherwise keeps
// what was freed. The page faults of each form stand beside the times.

#include "harness/cuda/memory.hpp"

#include "microbench/dataload/disk_path.hpp"
#include "microbench/dataload/epoch.hpp"
#include "microbench/steps.hpp"
#include "microbench/transfer/copies.hpp"

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

namespace microbench {
namespace {

using namespace harness;

constexpr std::int64_t ways[] = {0, 1};
constexpr std::string_view way_names[] = {"mmap", "kept"};
constexpr std::int64_t sizes[] = {1 << 20, 16 << 20, 64 << 20};
constexpr std::int64_t quick_sizes[] = {16 << 20};
constexpr Axis axes[] = {
    {.name = "by",
     .about =
         "the fast form. mmap: a mapping of the file; kept: read() into a buffer that is kept, pinned on "
         "CUDA. The slow form: read() into fresh memory",
     .values = ways,
     .quick = ways,
     .unit = Unit::label,
     .labels = way_names},
    {.name = "bytes", .about = "of the file", .values = sizes, .quick = quick_sizes, .unit = Unit::bytes},
};

std::function<void()> short_way(const std::shared_ptr<DiskPath>& s, bool mapped) {
  if (mapped) return [s] { s->use(Pages::of(s->file).bytes()); };
  return [s] {
    s->file.read(s->kept());
    s->use(s->kept());
  };
}

Trial prepare(Setup& setup, const Point& point) {
  const auto size = static_cast<std::size_t>(point["bytes"]);
  const bool cuda = setup.device.is_cuda();
  if (!cuda && point["bytes"] != quick_sizes[0]) throw Skip("on the CPU one size shows it");
  if (cuda) require_device_memory(size);
  std::vector<std::byte> content(size);
  fill_pattern(content, setup.seed);
  const auto s = std::make_shared<DiskPath>(content, setup.stream);

  const auto naive = [s, size] {
    const auto fresh = Pages::fresh(size);
    s->file.read(fresh.bytes());
    s->use(fresh.bytes());
  };
  const auto optimized = short_way(s, point["by"] == 0);
  return {
      .naive = naive,
      .optimized = optimized,
      .clear =
          [s, cuda] {
            s->checksum = 0;
            if (!cuda) return;
            check(cudaMemsetAsync(s->device->data(), 0xA5, s->device->size(), s->stream->get()));
            s->stream->synchronize();
          },
      .answer = [s, cuda](Form) -> Answer {
        return cuda ? Answer(read_back(*s->device, *s->stream)) : bytes_of(s->checksum);
      },
      .figures = [naive, optimized]() -> std::vector<Figure> {
        return {{"page faults", "", page_faults(naive), page_faults(optimized)}};
      },
      .bytes_moved = size,
  };
}

}  // namespace

constexpr Step dataload_xfer_disk_path{
    .id = "dataload/xfer_disk_path",
    .claim =
        "A file gets to where it is used sooner by a mapping or a kept buffer than through fresh memory.",
    .claim_ids = "xfer-disk-path",
    .source = {.title = "A guide on good usage of non_blocking and pin_memory() in PyTorch",
               .url = "https://docs.pytorch.org/tutorials/intermediate/pinmem_nonblock.html",
               .where = "Additional considerations"},
    .runs = Runs::each,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
    .full_only = true,
};
static_assert(well_formed(dataload_xfer_disk_path));

}  // namespace microbench
