// Predict the time of a staged copy and kernel by the formula.
//
// Question: Copy tT, kernel tE, n streams: the guide says tE + tT/n or tT + tE/n, whichever part is the
// longer one. How far is this device from it?
//
// Staged, the data are cut into n chunks, and each chunk's kernel starts when its copy has ended, while the
// next chunk is copied. If the kernel takes longer, only the first copy is not hidden: tE + tT/n. If the copy
// takes longer, only the last kernel is not: tT + tE/n. The formula knows neither what each chunk costs to
// start nor that smaller copies are slower, nor that kernels and copies share the device's memory.
//
// When it matters: before a loop is rewritten. Two timings and a division tell what staging can save at most.
// When it does not hold: with many small chunks, whose own costs add up.
//
// Both sides are the same staged work; the row compares what the formula says with what was measured. `same`
// means that the formula is right within 10 %; `more`, that staging took longer.
//
// Answer: Near it with few large chunks, above it with many small ones: the formula leaves out what each
// chunk costs to start. The row calls a device within 10 % `same`.

#include "harness/cuda/event.hpp"

#include "microbench/overlap/copy_and_work.hpp"
#include "microbench/tip.hpp"
#include "microbench/transfer/copies.hpp"

namespace microbench::overlap_staged_model {

constexpr Axis axes[] = {
    {.name = "bytes",
     .about = "that are copied and worked on",
     .values = {1 << 20, 16 << 20, 64 << 20},
     .quick = {16 << 20},
     .unit = Unit::bytes},
    {.name = "streams", .about = "streams, and as many chunks", .values = {2, 4, 16}, .quick = {4}},
    {.name = "kernel",
     .about = "how long it takes beside the copy in",
     .quick = {1},
     .labels = {"tenth", "equal", "tenfold"}}};

struct State {
  State(std::size_t size, std::size_t count) : pipeline(size), streams(count), joins(count) {}

  void run(const Stream& stream) const {
    const auto chunk = pipeline.in.size() / streams.size();
    fork.record(stream);
    for (std::size_t i = 0; i < streams.size(); ++i) {
      fork.hold(streams[i]);
      pipeline.copy_in({i * chunk, chunk}, streams[i]);
      pipeline.compute({i * chunk, chunk}, streams[i]);
      joins[i].record(streams[i]);
      joins[i].hold(stream);
    }
  }

  Pipeline pipeline;
  std::vector<Stream> streams;
  Event fork;
  std::vector<Event> joins;
};

/// The source's formula, in the unit of its two times.
double staged(double copy, double kernel, double chunks) {
  return std::max(copy, kernel) + std::min(copy, kernel) / chunks;
}

std::vector<Figure> figures_of(const State& s, const Stream& stream) {
  const Piece all{0, s.pipeline.in.size()};
  const auto copy = seconds_on(stream, [&] { s.pipeline.copy_in(all, stream); });
  const auto kernel = seconds_on(stream, [&] { s.pipeline.compute(all, stream); });
  const auto measured = seconds_on(stream, [&] { s.run(stream); });
  const auto chunks = static_cast<double>(s.streams.size());
  return {{"staged time", "ms", 1e3 * staged(copy, kernel, chunks), 1e3 * measured},
          {"one after the other", "ms", 1e3 * (copy + kernel), 1e3 * (copy + kernel)}};
}

Trial prepare(Setup& setup, const Point& point) {
  const auto size = static_cast<std::size_t>(point["bytes"]);
  const auto& stream = *setup.stream;
  require_device_memory(size);
  const auto s = std::make_shared<State>(size, static_cast<std::size_t>(point["streams"]));
  constexpr double shares[] = {0.1, 1, 10};
  balance(s->pipeline, setup, "overlap/staged_model/rounds/" + std::to_string(size), shares[point["kernel"]]);

  const auto run = [s, &stream] { s->run(stream); };
  return {
      .naive = run,
      .optimized = run,
      .clear = [s, &stream] { scribble(s->pipeline.device, stream); },
      .answer = [s, &stream](Form) -> Answer { return read_back(s->pipeline.device, stream); },
      .figures = [s, &stream] { return figures_of(*s, stream); },
      .timer = Timer::event,
      .statistic = Statistic::figure,
  };
}

extern constexpr Step step = checked({
    .id = "overlap/staged_model",
    .claim = "Staged copies and kernels take the longer part and an n-th of the shorter one.",
    .claim_ids = "ovl-staged-model",
    .sides = {"formula", "measured"},
    .source = best_practices("10.1.2 Asynchronous and Overlapping Transfers with Computation"),
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::no_effect, .published = "tE + tT/n, or tT + tE/n"},
    .delta = 0.1,
});

}  // namespace microbench::overlap_staged_model
