// Let one kernel read and write mapped host memory, instead of cutting copies and kernels into streams.
//
// Question: A pipeline of four streams overlaps copy in, kernel and copy out. Can one kernel on mapped
// memory, which needs no streams and no chunks, keep up with it?
//
// A kernel that reads pinned, mapped memory has its bytes sent over the link while other threads compute. So
// the overlap comes by itself: there is no number of chunks to choose, no first chunk during which the kernel
// waits, and no last one during which it has nothing left to do. The best practices guide offers it in place
// of streams.
//
// When it does not hold: reads across the link take microseconds, so a kernel needs many threads to hide
// them; a copy engine moves larger pieces than a warp asks for, and may reach a higher rate; and whatever is
// read twice crosses the link twice (transfer/zero_copy_once). On devices that share the host's memory there
// is nothing to copy in the first place.
//
// `kernel:light` hardly computes, so the link decides. `kernel:balanced` computes as long as a copy takes.
// Each byte is read once and written once on both sides, and both write the same bits.
//
// Answer: With many threads and one pass over each byte it can: the link is busy in both directions all the
// time, without a first and a last chunk. It falls behind where the copy engine uses the link better than a
// warp's reads do. Nothing is expected: measure it.

#include "harness/cuda/event.hpp"

#include "microbench/overlap/copy_and_work.hpp"
#include "microbench/tip.hpp"
#include "microbench/transfer/copies.hpp"

namespace microbench::overlap_zero_copy {

constexpr std::size_t streams = 4;
constexpr Axis axes[] = {{.name = "bytes",
                          .about = "all that is read, worked on and written",
                          .values = {1 << 20, 16 << 20, 64 << 20},
                          .unit = Unit::bytes},
                         {.name = "kernel",
                          .about = "light: hardly computes; balanced: takes as long as the copy in",
                          .labels = {"light", "balanced"}}};

struct State {
  explicit State(std::size_t size)
      : pipeline(size), mapped_in(size), mapped_out(size), own(streams), joins(streams) {
    std::ranges::copy(pipeline.in.bytes(), mapped_in.bytes().begin());
  }
  void piecewise(const Stream& stream) {
    const auto chunk = pipeline.in.size() / streams;
    fork.record(stream);
    for (std::size_t i = 0; i < streams; ++i) {
      fork.hold(own[i]);
      pipeline.copy_in({i * chunk, chunk}, own[i]);
      pipeline.compute({i * chunk, chunk}, own[i]);
      pipeline.copy_out({i * chunk, chunk}, own[i]);
      joins[i].record(own[i]);
      joins[i].hold(stream);
    }
    from_mapped = false;
  }
  void mapped(const Stream& stream) {
    check(queue_work(reinterpret_cast<float*>(mapped_out.data()),
                     reinterpret_cast<const float*>(mapped_in.data()), mapped_in.size() / sizeof(float),
                     pipeline.rounds, stream.get()));
    from_mapped = true;
  }
  std::span<std::byte> result() { return from_mapped ? mapped_out.bytes() : pipeline.out.bytes(); }

  Pipeline pipeline;
  MappedBuffer mapped_in, mapped_out;
  std::vector<Stream> own;
  Event fork;
  std::vector<Event> joins;
  bool from_mapped = false;
};

Trial prepare(Setup& setup, const Point& point) {
  const auto size = static_cast<std::size_t>(point["bytes"]);
  const auto& stream = *setup.stream;
  require_device_memory(size);
  const auto s = std::make_shared<State>(size);
  if (point["kernel"] != 0) balance(s->pipeline, setup, "overlap/zero_copy/rounds/" + std::to_string(size));
  return {
      .naive = [s, &stream] { s->piecewise(stream); },
      .optimized = [s, &stream] { s->mapped(stream); },
      .clear =
          [s] {
            scribble(s->pipeline.out.bytes());
            scribble(s->mapped_out.bytes());
          },
      .answer = [s](Form) -> Answer { return copy_of(s->result()); },
      .timer = Timer::event,
      .bytes_moved = 2 * size,
  };
}

extern constexpr Step step = checked({
    .id = "overlap/zero_copy",
    .claim = "One kernel on mapped memory can take the place of copies and kernels in several streams.",
    .claim_ids = "xfer-zero-copy-overlap",
    .sides = {"streams", "mapped"},
    .source = best_practices("Zero Copy"),
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
    .delta = 0.02,
});

}  // namespace microbench::overlap_zero_copy
