// Split "copy in, compute, copy out" into chunks on several streams instead of doing it in one go.
//
// Question: What can four streams save at most, if copy in, kernel and copy out take equally long?
//
// A device has copy engines beside its arithmetic, usually one for each direction, and all can work at once.
// Between streams nothing is ordered: with the data cut into chunks, one is computed while the next comes in
// and the one before goes out. The host memory is pinned on both sides, as it must be.
//
// `kernel:balanced` makes the kernel as long as the copy in; `kernel:light` hardly computes, so that only the
// two directions overlap.
//
// When it does not matter: where one part takes nearly all the time, and where chunks are so small that
// starting them costs more than their bytes.
//
// The streams fork from the timed stream and join it again by events. Nothing is allocated inside.
//
// Answer: Half. With n chunks three equal parts take (n + 2) / 3n of the time: 6 / 12 with four. On the H200
// here (commit 7400cad, kernel balanced, 16 MiB) it was 43 %.

#include "harness/cuda/event.hpp"

#include "microbench/overlap/copy_and_work.hpp"
#include "microbench/tip.hpp"
#include "microbench/transfer/copies.hpp"

namespace microbench::overlap_chunked_streams {

constexpr Axis axes[] = {
    {.name = "bytes",
     .about = "all that is copied in, worked on and copied out",
     .values = {1 << 20, 16 << 20, 64 << 20, 256 << 20},
     .quick = {16 << 20},
     .unit = Unit::bytes},
    {.name = "streams", .about = "streams, and as many chunks", .values = {2, 4, 8}, .quick = {4}},
    {.name = "kernel",
     .about = "light: hardly computes; balanced: takes as long as the copy in",
     .quick = {1},
     .labels = {"light", "balanced"}}};

struct State {
  explicit State(std::size_t size) : pipeline(size) {}
  Pipeline pipeline;
  std::vector<Stream> streams;
  Event fork;
  std::vector<Event> joins;
};

std::shared_ptr<State> make_state(Setup& setup, const Point& point) {
  const auto size = static_cast<std::size_t>(point["bytes"]);
  require_device_memory(size);
  const auto s = std::make_shared<State>(size);
  s->streams = std::vector<Stream>(static_cast<std::size_t>(point["streams"]));
  s->joins = std::vector<Event>(s->streams.size());
  if (point["kernel"] != 0)
    balance(s->pipeline, setup, "overlap/chunked_streams/rounds/" + std::to_string(size));
  return s;
}

Trial prepare(Setup& setup, const Point& point) {
  const auto s = make_state(setup, point);
  const auto& stream = *setup.stream;
  const Piece all{0, s->pipeline.in.size()};
  const auto chunk = all.size / s->streams.size();

  return {
      .naive =
          [s, &stream, all] {
            s->pipeline.copy_in(all, stream);
            s->pipeline.compute(all, stream);
            s->pipeline.copy_out(all, stream);
          },
      .optimized =
          [s, &stream, chunk] {
            s->fork.record(stream);
            for (std::size_t i = 0; i < s->streams.size(); ++i) {
              const auto& own = s->streams[i];
              s->fork.hold(own);
              s->pipeline.copy_in({i * chunk, chunk}, own);
              s->pipeline.compute({i * chunk, chunk}, own);
              s->pipeline.copy_out({i * chunk, chunk}, own);
              s->joins[i].record(own);
              s->joins[i].hold(stream);
            }
          },
      .clear = [s] { scribble(s->pipeline.out.bytes()); },
      .answer = [s](Form) -> Answer { return copy_of(s->pipeline.out.bytes()); },
      .timer = Timer::event,
      .bytes_moved = 2 * all.size,
  };
}

extern constexpr Step step = checked({
    .id = "overlap/chunked_streams",
    .claim = "Copy, kernel and copy in chunks on several streams beat the same in one go.",
    .claim_ids = "ovl-chunked-pipeline",
    .sides = {"in one go", "in chunks"},
    .source = overlap_post("Overlapping Kernel Execution and Data Transfers, asynchronous version 1"),
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "9.98 -> 5.74 ms (C2050); 7.10 -> 3.97 ms (K20c); 16 MB, 4 streams",
                    .about = "bytes:16MiB"},
    .suite = Suite::quick,
});

}  // namespace microbench::overlap_chunked_streams
