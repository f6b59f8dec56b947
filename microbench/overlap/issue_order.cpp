// The order in which the host issues the pieces of a pipeline no longer matters.
//
// Question: All copies first, or chunk by chunk: does the order in which the host issues 32 streams' work
// still matter on this device?
//
// Copy in, compute, copy out, in chunks on several streams, can be issued in two ways. Depth first: all three
// parts of a chunk, then the next chunk. Breadth first: all copies in, then all kernels, then all copies out.
// The streams mean the same in both. But devices before compute capability 3.5 had one queue for everything
// that streams asked of an engine, and a part that had to wait held up everything after it. On one device
// depth first did not overlap at all; on another breadth first was the slower one.
//
// When it does not matter: on devices since then, which have many queues. Two doubts remain, and they are why
// this is measured. A program has 8 queues unless CUDA_DEVICE_MAX_CONNECTIONS says otherwise, so that with 32
// streams four of them share one. And each copy engine still works through its copies in the order in which
// they arrive, which many small copies out could show.
//
// A row measures the whole pipeline with a kernel that takes as long as the copy in; the first side is depth
// first, the second breadth first.
//
// Answer: It should not, on devices of compute capability 3.5 and later: the source reports 3.97 ms both ways
// on a K20c, where an older device differed (C2050: 5.74 and 7.60 ms).

#include "microbench/overlap/copy_and_work.hpp"
#include "microbench/overlap/side_streams.hpp"
#include "microbench/tip.hpp"
#include "microbench/transfer/copies.hpp"

namespace microbench::overlap_issue_order {

constexpr Axis axes[] = {
    {.name = "bytes",
     .about = "all that is copied in, worked on and copied out",
     .values = {16 << 20, 64 << 20},
     .unit = Unit::bytes},
    {.name = "streams", .about = "streams, and as many chunks", .values = {2, 4, 8, 32}}};

struct State {
  State(std::size_t size, std::size_t count) : pipeline(size), side(count), chunk(size / count) {}
  Piece piece(std::size_t i) const { return {i * chunk, chunk}; }
  Pipeline pipeline;
  SideStreams side;
  std::size_t chunk;
};

Trial prepare(Setup& setup, const Point& point) {
  const auto size = static_cast<std::size_t>(point["bytes"]);
  const auto& stream = *setup.stream;
  require_device_memory(size);
  const auto s = std::make_shared<State>(size, static_cast<std::size_t>(point["streams"]));
  balance(s->pipeline, setup, "overlap/issue_order/" + std::to_string(size));

  return {
      .naive =
          [s, &stream] {
            s->side.fork(stream);
            for (std::size_t i = 0; i < s->side.size(); ++i) {
              s->pipeline.copy_in(s->piece(i), s->side[i]);
              s->pipeline.compute(s->piece(i), s->side[i]);
              s->pipeline.copy_out(s->piece(i), s->side[i]);
            }
            s->side.join(stream);
          },
      .optimized =
          [s, &stream] {
            s->side.fork(stream);
            for (std::size_t i = 0; i < s->side.size(); ++i) s->pipeline.copy_in(s->piece(i), s->side[i]);
            for (std::size_t i = 0; i < s->side.size(); ++i) s->pipeline.compute(s->piece(i), s->side[i]);
            for (std::size_t i = 0; i < s->side.size(); ++i) s->pipeline.copy_out(s->piece(i), s->side[i]);
            s->side.join(stream);
          },
      .clear = [s] { scribble(s->pipeline.out.bytes()); },
      .answer = [s](Form) -> Answer { return copy_of(s->pipeline.out.bytes()); },
      .timer = Timer::event,
      .bytes_moved = 2 * size,
  };
}

extern constexpr Step step = checked({
    .id = "overlap/issue_order",
    .claim = "Depth first or breadth first: the order of issue does not matter since compute capability 3.5.",
    .claim_ids = "ovl-issue-order",
    .sides = {"depth first", "breadth first"},
    .source = overlap_post("Overlapping Kernel Execution and Data Transfers, asynchronous versions 1 and 2"),
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::no_effect,
                    .published = "3.97 and 3.97 ms (K20c); earlier 5.74 and 7.60 ms (C2050); 16 MB"},
});

}  // namespace microbench::overlap_issue_order
