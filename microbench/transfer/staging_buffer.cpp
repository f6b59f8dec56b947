// Leave staging to the driver: your own pinned buffer need not beat the driver's.
//
// Question: You fill a pinned buffer yourself and send that. Can it beat the driver, which does the same
// inside of the plain copy?
//
// If copies from ordinary memory are slow because the driver moves them through a pinned buffer, why not keep
// such a buffer and fill it yourself? Because that is what the driver does already, and the processor's copy
// from one memory to the other is the slow part in both. Filling a buffer for the whole tensor is worse
// still: the link idles until the last byte is in it. It takes more than one buffer, so that one is filled
// while the other is on its way, and perhaps more than one thread, to have any chance.
//
// When a buffer of your own does help: where several cores can copy more quickly than the one that the driver
// uses, which depends on the machine's memory. "No faster" may mean slower, and two halves may win a few
// percent, so nothing is expected. Data that are made in pinned memory in the first place need neither
// (transfer/pinned_h2d). Both sides end when the last byte has arrived.
//
// `staging` is what the plain copy is compared with. `whole` fills a buffer of the tensor's size and sends
// it. `halves` fills the two halves of a smaller one in turn, each only when an event says that its last
// content has left; without that wait data would be overwritten on their way. `threads` does the same with
// all of LibTorch's threads.
//
// Answer: Not with one buffer filled by one thread: that is the driver's way without its overlap. Two halves
// can come near it. Several threads can be faster, where they copy more quickly than the one core that the
// driver uses.

#include "microbench/tip.hpp"
#include "microbench/transfer/copies.hpp"
#include "microbench/transfer/staging.hpp"

namespace microbench::transfer_staging_buffer {

enum Staging : std::int64_t { whole, halves, threads };
constexpr std::size_t largest_half = std::size_t{4} << 20;
constexpr Axis axes[] = {
    {.name = "bytes",
     .about = "of one copy",
     .values = {1 << 20, 64 << 20},
     .quick = {64 << 20},
     .unit = Unit::bytes},
    {.name = "staging",
     .about = "whole: all bytes at once; halves: in turn, up to 4 MiB each; threads: halves that several "
              "threads fill",
     .quick = {halves},
     .labels = {"whole", "halves", "threads"}}};

Trial prepare(Setup& setup, const Point& point) {
  const auto size = static_cast<std::size_t>(point["bytes"]);
  const auto staging = point["staging"];
  const auto& stream = *setup.stream;
  require_device_memory(size);
  const auto part = staging == whole ? size : std::min(size / 4, largest_half);
  const auto s = std::make_shared<StagedCopy>(size, part);
  fill_pattern(s->source.bytes(), setup.seed);

  return {
      .naive =
          [s, several = staging == threads, &stream] {
            s->run(several, stream);
            stream.synchronize();
          },
      .optimized =
          [s, size, &stream] {
            check(cudaMemcpyAsync(s->target.data(), s->source.data(), size, cudaMemcpyHostToDevice,
                                  stream.get()));
            stream.synchronize();
          },
      .clear = [s, size, &stream] { check(cudaMemsetAsync(s->target.data(), 0xA5, size, stream.get())); },
      .answer = [s, &stream](Form) -> Answer { return read_back(s->target, stream); },
      .bytes_moved = size,
  };
}

extern constexpr Step step = checked({
    .id = "transfer/staging_buffer",
    .claim = "A plain copy of pageable memory is no slower than one through a pinned buffer of one's own.",
    .claim_ids = "xfer-staging-buffer",
    .sides = {"own staging", "plain copy"},
    .source = pinning_tutorial("Additional considerations"),
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
});

}  // namespace microbench::transfer_staging_buffer
