// Write-combined memory for what the processor only writes, in order, and the device only reads.
//
// Question: Copies are said to be up to 40 % faster. Are they here, and how many times slower is a read?
//
// The processor's caches hold what it has written, so a device that reads the same memory must ask them, for
// every line (it "snoops"). Write-combined memory stays out of the caches: stores are gathered in a small
// buffer and go out line by line, and the device need not ask. Where this snooping is free, there may be no
// gain.
//
// The price is every other use: a read by the processor goes to memory for a few bytes each time, and writes
// out of order leave the buffer half full.
//
// When it does not matter: where the host prepares the data for longer than the link takes to send them.
//
// `use` is what a run does with the memory: `copy` sends it to the device; `fill_copy` first fills it in
// order from ordinary memory, as a loader would; `scatter` writes a word into each line of 64 bytes in random
// order; `read` adds up its words. The last two take 1 MiB only: they are the warning, not the tip. There the
// second side is the one to avoid, so `use:read` is expected to be slower; whether a copy gains depends on
// how the host answers the device.
//
// Answer: Where snooping is free, copies gain nothing; elsewhere they gain up to the 40 % of the source. A
// read is many times slower, since every few bytes come from memory: never read such memory.

#include "microbench/tip.hpp"
#include "microbench/transfer/copies.hpp"
#include "microbench/transfer/shared_memory_use.hpp"

namespace microbench::transfer_write_combined {

enum Use : std::int64_t { copy, fill_copy, scatter, read };
constexpr std::int64_t sizes[] = {1 << 20, 64 << 20};
constexpr Axis axes[] = {
    {.name = "bytes", .about = "of the memory", .values = sizes, .quick = {1 << 20}, .unit = Unit::bytes},
    {.name = "use",
     .about =
         "copy: to the device; fill_copy: filled and then copied; scatter: a word to each line in random "
         "order; read: by the processor",
     .quick = {copy},
     .labels = {"copy", "fill_copy", "scatter", "read"}}};

struct State {
  explicit State(std::size_t size) : ordinary(size), cached(size), combined(size), device(size) {}
  PageableBuffer ordinary;
  PinnedBuffer cached;
  WriteCombinedBuffer combined;
  DeviceBuffer device;
  std::vector<std::uint32_t> order;
  std::uint64_t sum = 0;
};

Trial prepare(Setup& setup, const Point& point) {
  const auto size = static_cast<std::size_t>(point["bytes"]);
  const auto use = point["use"];
  const auto& stream = *setup.stream;
  require_device_memory(size);
  const auto s = std::make_shared<State>(size);
  fill_pattern(s->ordinary.bytes(), setup.seed);
  std::ranges::copy(s->ordinary.bytes(), s->cached.data());
  std::ranges::copy(s->ordinary.bytes(), s->combined.data());
  s->order = shuffled_lines(size, setup.seed);

  const auto send = [s, &stream](const auto& memory) {
    check(cudaMemcpyAsync(s->device.data(), memory.data(), memory.size(), cudaMemcpyHostToDevice,
                          stream.get()));
  };
  const auto run = [s, use, send, &stream](const auto& memory) {
    if (use == read) s->sum = sum_of_words(memory.bytes());
    if (use == scatter) write_lines(memory.bytes(), s->order);
    if (use == fill_copy) std::memcpy(memory.data(), s->ordinary.data(), memory.size());
    if (use == copy || use == fill_copy) send(memory);
    stream.synchronize();  // the memory may be filled anew
  };
  return {
      .naive = [s, run] { run(s->cached); },
      .optimized = [s, run] { run(s->combined); },
      .clear =
          [s, use, &stream] {
            s->sum = 0;
            if (use == scatter || use == fill_copy) scribble(s->cached.bytes());
            if (use == scatter || use == fill_copy) scribble(s->combined.bytes());
            check(cudaMemsetAsync(s->device.data(), 0xA5, s->device.size(), stream.get()));
          },
      .answer = [s, use, send, &stream](Form form) -> Answer {
        if (use == read) return number_bytes(s->sum);
        if (use == scatter) form == Form::naive ? send(s->cached) : send(s->combined);
        return read_back(s->device, stream);
      },
  };
}

extern constexpr Step step = checked({
    .id = "transfer/write_combined",
    .claim = "Write-combined memory is copied to the device faster; the processor reads it far more slowly.",
    .claim_ids = "xfer-write-combined",
    .sides = {"pinned", "write-combined"},
    .source = {.title = "CUDA C++ Programming Guide",
               .url = "https://docs.nvidia.com/cuda/cuda-c-programming-guide/index.html",
               .where = "Write-Combining Memory"},
    .runs = Runs::cuda,
    .axes = axes,
    .takes = [](const Point& p, const Device&) { return p["use"] <= fill_copy || p["bytes"] == sizes[0]; },
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends,
                    .published = "up to 40 % (no hardware stated); reads: prohibitively slow",
                    .hurts_at = "use:read"},
});

}  // namespace microbench::transfer_write_combined
