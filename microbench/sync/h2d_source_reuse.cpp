// Do not refill a pinned buffer before the copy that was queued from it has read it.
//
// Question: One pinned buffer is filled again as soon as its copy has been queued. Does a ring of four
// buffers cure that?
//
// A copy from pinned memory that was only queued reads the buffer when its turn comes. If the host writes
// the next batch into the same buffer before that, the device gets the next batch twice, or a mixture, and no
// call reports it. LibTorch's allocator for pinned memory does guard against one form of this: a tensor that
// is freed is not handed out again before the copies from it are done. It cannot know that somebody writes
// into a tensor that is still alive.
//
// Record an event after each copy, and wait for it before you fill the buffer again. With one buffer that is
// a wait in every iteration; with a ring of several (`ring`) the host fills one while the copies of the
// others are under way. A ring alone does not help: it only puts the mistake off until the host is that many
// batches ahead.
//
// When it does not show: on an idle device the copy mostly wins the race.
//
// A row sends eight batches after a kernel of two milliseconds, which stands before the first copy as a
// training step would. It says how often either side was wrong, and what both take; the wait for that kernel
// is what was forgotten.
//
// Answer: No: it puts the mistake off until the host is four batches ahead, which a step of two milliseconds
// makes sure of. The cure is an event after each copy and a wait for it before refilling; a ring makes that
// wait short.

#include "microbench/overlap/delay.hpp"
#include "microbench/tip.hpp"
#include "microbench/transfer/copies.hpp"

namespace microbench::sync_h2d_source_reuse {

constexpr Axis axes[] = {
    {.name = "bytes", .about = "of a batch", .values = {64 << 10, 4 << 20}, .unit = Unit::bytes},
    {.name = "ring", .about = "pinned buffers, used in turn", .values = {1, 2, 4}}};
constexpr std::size_t batches = 8;

struct State {
  State(Setup& setup, std::size_t bytes, std::size_t ring)
      : size(bytes), slow(setup, 2e-3), target(batches * bytes), read(ring) {
    for (std::size_t i = 0; i < ring; ++i) buffers.emplace_back(bytes);
  }
  /// Eight batches, the i-th of them full of i + 1; `wait` comes before a buffer is filled.
  template <class Wait>
  void run(const Stream& stream, const Wait& wait) const {
    slow.queue(stream);
    for (std::size_t i = 0; i < batches; ++i) {
      const auto own = i % buffers.size();
      wait(read[own]);
      std::memset(buffers[own].data(), value(i), size);
      check(cudaMemcpyAsync(target.data() + i * size, buffers[own].data(), size, cudaMemcpyHostToDevice,
                            stream.get()));
      read[own].record(stream);
    }
  }
  static int value(std::size_t batch) { return static_cast<int>(batch) + 1; }
  std::size_t size;
  Delay slow;
  DeviceBuffer target;
  std::vector<Event> read;  // behind each buffer's last copy
  std::vector<PinnedBuffer> buffers;
};

Answer right(std::size_t size) {
  std::vector<std::byte> bytes(batches * size);
  for (std::size_t i = 0; i < batches; ++i) std::memset(bytes.data() + i * size, State::value(i), size);
  return bytes;
}

Trial prepare(Setup& setup, const Point& point) {
  const auto size = static_cast<std::size_t>(point["bytes"]);
  const auto& stream = *setup.stream;
  require_device_memory(batches * size);
  const auto s = std::make_shared<State>(setup, size, static_cast<std::size_t>(point["ring"]));

  return {
      .naive = [s, &stream] { s->run(stream, [](const Event&) {}); },
      .optimized = [s, &stream] { s->run(stream, [](const Event& read) { read.synchronize(); }); },
      .clear = [s, &stream] { scribble(s->target, stream); },
      .answer = [s, &stream](Form) -> Answer { return read_back(s->target, stream); },
      .truth = [size] { return right(size); },
  };
}

extern constexpr Step step = checked({
    .id = "sync/h2d_source_reuse",
    .claim = "A pinned buffer that is refilled before the copy queued from it has run corrupts that copy.",
    .claim_ids = "sync-h2d-source-reuse",
    .sides = {"no wait", "wait"},
    .source =
        cuda_semantics("Use pinned memory buffers (that a refill too early corrupts is inferred from it)"),
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
    .naive_may_be_wrong = true,
});

}  // namespace microbench::sync_h2d_source_reuse
