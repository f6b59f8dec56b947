// Pin memory where it lies instead of copying it to a pinned buffer first.
//
// Question: Registering 16 MiB takes as long as several copies of them. After how many copies does it pay for
// itself?
//
// Data often lie in memory that somebody else has allocated: a file that was read, a library's array. There
// are two ways to send them at full speed. One keeps a pinned buffer and copies the data into it before each
// transfer, so the processor reads and writes every byte once more. The other asks the driver to pin the
// pages where they are (cudaHostRegister): it costs time for each page, once, and then every transfer goes
// straight from there.
//
// What it costs: pinned pages cannot be paged out, and registering and giving back take longer than one copy.
// When it does not pay: for data that are sent once or twice (`copies:1`), where the plain copy from ordinary
// memory may be quicker than both; for memory that the system refuses to pin (files mapped read-only).
//
// A run sends the same memory `copies` times. The first side copies into its pinned buffer and sends that;
// the other registers, sends, and gives the registration back. Both wait for the last byte.
//
// Answer: After k copies, if registering takes as long as k copies by the processor: each transfer saves one
// such copy. It does not pay for one or two transfers. It should for a hundred.

#include "microbench/tip.hpp"
#include "microbench/transfer/copies.hpp"
#include "microbench/transfer/pages.hpp"

namespace microbench::transfer_register_in_place {

constexpr Axis axes[] = {
    {.name = "bytes",
     .about = "of one copy",
     .values = {1 << 20, 16 << 20},
     .quick = {16 << 20},
     .unit = Unit::bytes},
    {.name = "copies", .about = "of the same memory", .values = {1, 10, 100}, .quick = {10}}};

struct State {
  explicit State(std::size_t size) : source(size), staging(size), target(size) {
    map_pages(source.bytes(), 1);
  }
  FreshPages source;
  PinnedBuffer staging;
  DeviceBuffer target;

  void send(const void* from, const Stream& stream) const {
    check(cudaMemcpyAsync(target.data(), from, target.size(), cudaMemcpyHostToDevice, stream.get()));
  }
};

Trial prepare(Setup& setup, const Point& point) {
  const auto size = static_cast<std::size_t>(point["bytes"]);
  const auto copies = point["copies"];
  const auto& stream = *setup.stream;
  require_registration(setup.device);
  require_device_memory(size);
  const auto s = std::make_shared<State>(size);
  fill_pattern(s->source.bytes(), setup.seed);

  return {
      .naive =
          [s, copies, &stream] {
            for (std::int64_t i = 0; i < copies; ++i) {
              stream.synchronize();  // the buffer is on its way until then
              std::memcpy(s->staging.data(), s->source.bytes().data(), s->staging.size());
              s->send(s->staging.data(), stream);
            }
            stream.synchronize();
          },
      .optimized =
          [s, copies, &stream] {
            const PageLock pinned(s->source.bytes());
            for (std::int64_t i = 0; i < copies; ++i) s->send(s->source.bytes().data(), stream);
            stream.synchronize();
          },
      .clear = [s, &stream] { scribble(s->target, stream); },
      .answer = [s, &stream](Form) -> Answer { return read_back(s->target, stream); },
      .bytes_moved = size* static_cast<std::size_t>(copies),
  };
}

extern constexpr Step step = checked({
    .id = "transfer/register_in_place",
    .claim =
        "Memory that is sent often is sent sooner if it is pinned in place than by way of a pinned buffer.",
    .claim_ids = "xfer-register-inplace",
    .sides = {"staged", "pinned in place"},
    .source = best_practices("10.1.1 Pinned Memory"),
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .about = "copies:100"},
});

}  // namespace microbench::transfer_register_in_place
