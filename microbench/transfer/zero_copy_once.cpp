// Let a kernel read mapped host memory, instead of copying first, when it reads each byte once.
//
// Question: A kernel reads each byte over the link once. After how many passes would copying first have been
// better?
//
// Pinned memory that is mapped has an address on the device. A kernel may read it directly: every read then
// crosses the link, while other threads go on computing, and there is no copy to wait for. Copying first
// moves everything, and only then does the kernel start; but from then on it reads the device's own memory,
// which is many times faster than the link. So mapped memory pays off if each byte is wanted once (or only
// some of the bytes are wanted), in long coalesced reads. Whatever is read again crosses the link again.
//
// When it does not hold: a device that shares the host's memory needs no copy at all; a device with a large
// cache may keep what it has read across passes; and a kernel with few threads does not ask for enough at
// once to fill the link. Where the copy is hidden behind other work, it costs nothing to begin with.
//
// `passes` is how often the kernel goes over the data, each in its own launch. `touched` is the share of them
// that it looks at, in pieces of 4 KiB; the copy sends everything, since it does not know which will be
// needed. The fewer passes and the less is touched, the better mapped memory looks; at 16 passes over all of
// it the copy should be far ahead. The source's claim is about `passes:1`: over all of the data that saves no
// more than the kernel's own few microseconds, so a gain is expected only where a tenth is touched.
//
// Answer: From the second pass on, for all of the data: each pass crosses the link again, while a copy
// crosses once. With a tenth of the data touched it takes about ten passes.

#include "microbench/tip.hpp"
#include "microbench/transfer/accumulate.hpp"
#include "microbench/transfer/copies.hpp"

namespace microbench::transfer_zero_copy_once {

constexpr std::size_t size = std::size_t{16} << 20;
constexpr std::size_t values = size / sizeof(float);
constexpr Axis axes[] = {{.name = "passes", .about = "over the data", .values = {1, 4, 16}, .quick = {1}},
                         {.name = "touched",
                          .about = "how much of 16 MiB the kernel reads",
                          .quick = {0},
                          .labels = {"all", "tenth"}}};

struct State {
  MappedBuffer mapped{size};
  DeviceBuffer in{size};
  DeviceBuffer out{size};
};

void fill_with_numbers(std::span<std::byte> bytes) {
  for (std::size_t i = 0; i + sizeof(float) <= bytes.size(); i += sizeof(float)) {
    const auto value = static_cast<float>(i % 1'000'003) / 1'000'003.0F;
    std::memcpy(bytes.data() + i, &value, sizeof value);
  }
}

Trial prepare(Setup& setup, const Point& point) {
  const auto passes = point["passes"];
  const std::size_t step = point["touched"] == 0 ? 1 : 10;
  const auto& stream = *setup.stream;
  require_device_memory(2 * size);
  const auto s = std::make_shared<State>();
  fill_with_numbers(s->mapped.bytes());

  const auto read = [s, passes, step, &stream](const std::byte* from) {
    for (std::int64_t pass = 0; pass < passes; ++pass)
      check(queue_accumulate(reinterpret_cast<const float*>(from), reinterpret_cast<float*>(s->out.data()),
                             values, step, pass == 0, stream.get()));
  };
  return {
      .naive =
          [s, read, &stream] {
            check(
                cudaMemcpyAsync(s->in.data(), s->mapped.data(), size, cudaMemcpyHostToDevice, stream.get()));
            read(s->in.data());
          },
      .optimized = [s, read] { read(s->mapped.data()); },
      .clear =
          [s, &stream] {
            check(cudaMemsetAsync(s->in.data(), 0xA5, size, stream.get()));
            check(cudaMemsetAsync(s->out.data(), 0xA5, size, stream.get()));
          },
      .answer = [s, &stream](Form) -> Answer { return read_back(s->out, stream); },
      .timer = Timer::event,
  };
}

extern constexpr Step step = checked({
    .id = "transfer/zero_copy_once",
    .claim = "A kernel that reads each byte once is faster on mapped host memory than after a copy.",
    .claim_ids = "xfer-zero-copy-once",
    .sides = {"copied", "mapped"},
    .source = best_practices("Zero Copy"),
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .about = "passes:1/touched:tenth"},
    .delta = 0.02,
});

}  // namespace microbench::transfer_zero_copy_once
