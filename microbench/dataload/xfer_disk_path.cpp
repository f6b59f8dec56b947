// The way from a file to where it is used: which memory it is read into, and whether a disk takes part.
//
// Question: Which is the fastest way to a cached file of 16 MiB: fresh memory, a mapping, a kept buffer?
//
// The system keeps what was read from a disk in its page cache. read() copies it from there into a buffer. If
// the buffer is new, each of its pages is first found missing, zeroed and mapped, which can cost more than
// the copy. A mapping of the file saves the copy and most of the faults: one brings 16 pages (64 KiB, as
// Linux is set), or more where the cache holds the file in large pieces. A buffer that is kept has neither
// cost, and if it is pinned the device can fetch the bytes out of it without staging. Read with O_DIRECT, the
// disk writes straight into the buffer: no copy and no page cache, but no reading ahead either.
//
// When it does not matter: if the file is not in the page cache (`cache:cold`), the disk decides; in small
// files the calls do. Many loads at once each hold a buffer of their own: that is how memory runs out.
//
// A row measures one file to the end of its way: on a GPU the device's memory, on the CPU one pass over the
// bytes. In cold rows the system drops the file from its cache before each timed run; folders in memory have
// no such rows. Fresh memory is mapped by hand, as this program keeps what was freed. Page faults stand
// beside it.
//
// Answer: For a file in the page cache fresh memory is the slowest: it has the copy and a fault for each
// page. A mapping saves the copy and takes a fault for every 64 KiB; a kept buffer saves the faults and, if
// it is pinned, the driver's staging copy. Which of these two is faster is up to the machine: on two cores of
// an EPYC the mapping, 2.07 ms against 2.66 (commit 03cee4c), where no device fetches the bytes.

#include "microbench/dataload/file_bytes.hpp"
#include "microbench/tip.hpp"
#include "microbench/transfer/copies.hpp"

namespace microbench::dataload_xfer_disk_path {

enum By : std::int64_t { mmap, kept, pinned, direct };
constexpr std::int64_t quick_sizes[] = {16 << 20};
constexpr Axis axes[] = {
    {.name = "by",
     .about =
         "mmap: a mapping, kept: a buffer that is kept, both instead of fresh memory; pinned: a pinned one "
         "instead of a kept one; direct: O_DIRECT instead of the page cache",
     .labels = {"mmap", "kept", "pinned", "direct"}},
    {.name = "cache",
     .about = "warm: the file lies in the page cache; cold: on its disk",
     .labels = {"warm", "cold"}},
    {.name = "bytes",
     .about = "of the file",
     .values = {1 << 20, 16 << 20, 64 << 20},
     .quick = quick_sizes,
     .unit = Unit::bytes},
};

bool takes(const Point& point, const Device& device) {
  if (point["by"] == direct && point["cache"] == 0) return false;
  return device.is_cuda() || (point["by"] != pinned && point["bytes"] == quick_sizes[0]);
}

Ways ways_of(std::int64_t by, bool cuda) {
  if (by == mmap) return {Way::fresh, Way::mapped};
  if (by == kept) return {Way::fresh, Way::kept};
  if (by == pinned) return {Way::kept, Way::pinned};
  return {cuda ? Way::pinned : Way::kept, Way::direct};
}

Trial prepare(Setup& setup, const Point& point) {
  const auto size = static_cast<std::size_t>(point["bytes"]);
  const bool cold = point["cache"] == 1;
  const bool cuda = setup.device.is_cuda();
  if (cuda) require_device_memory(size);
  std::vector<std::byte> content(size);
  fill_pattern(content, setup.seed);
  const auto s = std::make_shared<DiskPath>(content, setup.stream, cold);
  if (cold && !s->has_disk())
    throw Skip("the folder for temporary files is in memory, or has no O_DIRECT: TMPDIR names another");
  if (point["by"] == direct && !s->reads_directly())
    throw Skip("the system does not read past the page cache into pinned memory");

  const auto by = ways_of(point["by"], cuda);
  return {
      .naive = [s, by] { s->run(by.naive); },
      .optimized = [s, by] { s->run(by.optimized); },
      .clear = [s] { s->clear(); },
      .answer = [s](Form) { return s->answer(); },
      .warm_up = [s, by](Form form) { s->warm_up(form == Form::naive ? by.naive : by.optimized); },
      .figures = [s, by]() -> std::vector<Figure> {
        return {{"page faults", "", s->faults(by.naive), s->faults(by.optimized)}};
      },
      .most_runs = cold ? 1 : 0,
      .bytes_moved = size,
  };
}

extern constexpr Step step = checked({
    .id = "dataload/xfer_disk_path",
    .claim = "A file gets to where it is used the sooner, the fewer copies and fresh pages are on its way.",
    .claim_ids = "xfer-disk-path",
    .source = pinning_tutorial("Additional considerations"),
    .axes = axes,
    .takes = takes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
});

}  // namespace microbench::dataload_xfer_disk_path
