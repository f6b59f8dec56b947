// Pad batches of varying length to a few sizes instead of capturing a new graph for each length.
//
// Question: A new graph for each length, or padding to four lengths: which costs more, a capture or the
// padding?
//
// A captured graph, like a compiled one, is made for one shape. Batches whose length changes from one to the
// next either need a new graph each, and making one costs far more than launching it, or must be brought to a
// length for which there is a graph already. With a few sizes, "buckets", each batch is padded up to the next
// of them; the graphs are made once. The padding must not count: the sums here stop at the batch's true
// length, which lies in device memory, since a captured argument would stay what it was.
//
// What it costs: work on the padding. With one bucket as long as the longest batch that can be nearly half of
// all the work (`buckets:1`), with more buckets less, and the memory of more graphs. When it does not matter:
// where lengths repeat, so that a graph for each length pays; where kernels are so long that the wasted work
// outweighs the captures saved; where graphs gain nothing in the first place.
//
// A row measures 16 batches of different lengths: each is copied into the static input, goes through 20
// kernels and ends in masked sums. One side captures and instantiates for each batch, the other chooses a
// graph made beforehand. The source speaks of a compiler; the price of a capture stands in for its price.
//
// Answer: The capture: making a graph costs many launches' time for each of 20 kernels, the padding only
// work on the device. Four lengths waste little. A single length as long as the longest batch wastes nearly
// half of the work, and can lose where kernels are long.

#include "harness/cuda/graph.hpp"

#include "microbench/launch/padding.hpp"
#include "microbench/tip.hpp"

namespace microbench::launch_fuse_dynamic_recompile {

constexpr std::int64_t longest[] = {1 << 12, 1 << 18, 1 << 22};
constexpr Axis axes[] = {
    {.name = "longest", .about = "floats in the longest batch", .values = longest, .quick = {1 << 12}},
    {.name = "buckets",
     .about = "sizes, equally far apart, to which batches are padded",
     .values = {1, 4},
     .quick = {4}}};

struct State {
  explicit State(const Setup& setup, std::int64_t most) : batches(setup, most) {}
  VaryingBatches batches;
  std::vector<GraphExec> graphs;  // one for each bucket
};

Trial prepare(Setup& setup, const Point& point) {
  const auto most = point["longest"];
  const auto count = point["buckets"];
  const auto& stream = *setup.stream;
  require_device_memory(3 * sizeof(float) * static_cast<std::size_t>(most));
  const auto s = std::make_shared<State>(setup, most);
  s->batches.queue(most, stream);  // loads the kernels
  double padded = 0;
  double own = 0;
  for (std::int64_t b = 1; b <= count; ++b)
    s->graphs.emplace_back(Graph(stream, [&] { s->batches.queue(most * b / count, stream); }));
  for (const auto length : s->batches.lengths) {
    own += static_cast<double>(length);
    padded += static_cast<double>(most * bucket_of(length, most, count) / count);
  }

  return {
      .naive =
          [s, &stream] {
            for (std::size_t i = 0; i < varying_batches; ++i) {
              s->batches.load(i, stream);
              const Graph graph(stream, [&] { s->batches.queue(s->batches.lengths[i], stream); });
              GraphExec(graph).launch(stream);
              s->batches.store(i, stream);
            }
          },
      .optimized =
          [s, &stream, most, count] {
            for (std::size_t i = 0; i < varying_batches; ++i) {
              s->batches.load(i, stream);
              const auto bucket = bucket_of(s->batches.lengths[i], most, count);
              s->graphs[static_cast<std::size_t>(bucket - 1)].launch(stream);
              s->batches.store(i, stream);
            }
          },
      .clear = [s] { s->batches.results.fill_(-1); },
      .answer = [s](Form) { return numbers_of(s->batches.results); },
      .figures = [padded, own]() -> std::vector<Figure> {
        return {{"captures", "", static_cast<double>(varying_batches), 0},
                {"work on padding", "%", 0, 100 * (padded - own) / padded}};
      },
  };
}

extern constexpr Step step = checked({
    .id = "launch/fuse_dynamic_recompile",
    .claim = "Padding batches of varying length to a few sizes is faster than a new capture for each length.",
    .claim_ids = "fuse-dynamic-recompile",
    .sides = {"capture each", "padded"},
    .source = {.title = "Why Your PyTorch Training Crawls on a Beefy GPU (And How to Fix It)",
               .url = "https://dev.to/alanwest/"
                      "why-your-pytorch-training-crawls-on-a-beefy-gpu-and-how-to-fix-it-52g8",
               .where = "what it says on dynamic shapes"},
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .about = "longest:4096"},
});

}  // namespace microbench::launch_fuse_dynamic_recompile
