// Do what is the same in every epoch once and keep it, instead of repeating it for each sample.
//
// Question: Neighbors of 1024 points are searched in each epoch. What share of the epoch remains where they
// are kept?
//
// The tidy place for a transform is the function that hands out a sample: there it runs again for each
// sample in each epoch. Building a graph is the worst case. Finding the k nearest neighbors of n points by
// looking at all pairs takes n * n distances, and they come out the same every time. The project that this
// suite follows found neighbors in __getitem__, and nearly all of its time was spent there; its cure was to
// find them once and store the edges with the data set (pre_transform in PyTorch Geometric).
//
// When it does not matter: where the transform is cheap compared with the training, or workers hide it behind
// the training. When it is wrong: for what must differ in each epoch (augmentation), and where the cache's
// key forgets a parameter of the transform (k, a radius): then the old edges are used with the new setting.
// The cache costs memory, and filling it one epoch of transforms, so it has paid for itself in the second
// epoch.
//
// A row measures an epoch over two graphs: the points' neighbors are found by the processor or taken from the
// cache, then copied to the device, where a layer averages the features of the neighbors. What filling the
// cache cost stands beside the times.
//
// Answer: Little: the search takes n times n distances for each graph, and what remains is a copy and one
// small layer. In the published case 99.4 % of the time went into it.

#include "harness/core/slot.hpp"

#include "microbench/dataload/transforms.hpp"
#include "microbench/tip.hpp"

namespace microbench::dataload_precompute_transform {

constexpr Axis axes[] = {{.name = "nodes", .about = "points of each graph", .values = {256, 1024}}};
constexpr std::int64_t graphs = 2;
constexpr std::int64_t neighbours = 10;
constexpr std::int64_t width = 64;

struct Sample {
  at::Tensor points;    // [nodes, 3], on the host
  at::Tensor edges;     // the cache
  at::Tensor features;  // [nodes, width], where the training is
};

struct State {
  std::vector<Sample> samples;
  at::Tensor weight, out;

  /// One layer: the mean over the neighbours, then a product. Its result is what the epoch is judged by.
  void train(std::int64_t i, const at::Tensor& edges) {
    const auto& features = samples[static_cast<std::size_t>(i)].features;
    const auto there = edges.to(features.device());
    const auto gathered = features.index_select(0, there.flatten()).view({-1, neighbours, width}).mean(1);
    out.select(0, i).copy_(at::relu(at::mm(gathered, weight)));
  }
};

std::shared_ptr<State> make_state(const Setup& setup, std::int64_t nodes) {
  const auto device = torch_device(setup.device);
  const auto s = std::make_shared<State>();
  for (std::int64_t i = 0; i < graphs; ++i) {
    const auto seed = setup.seed + 2 * static_cast<std::uint64_t>(i);
    s->samples.push_back(
        {random_features(nodes, 3, seed), {}, random_features(nodes, width, seed + 1).to(device)});
  }
  s->weight = random_features(width, width, setup.seed + 99).to(device);
  s->out = at::empty({graphs, nodes, width}, s->weight.options());
  return s;
}

Trial prepare(Setup& setup, const Point& point) {
  const auto s = make_state(setup, point["nodes"]);
  const double filling = host_seconds([&] {
    for (auto& sample : s->samples) sample.edges = nearest(sample.points, neighbours);
  });

  return {
      .naive =
          [s] {
            for (std::int64_t i = 0; i < graphs; ++i)
              s->train(i, nearest(s->samples[static_cast<std::size_t>(i)].points, neighbours));
          },
      .optimized =
          [s] {
            for (std::int64_t i = 0; i < graphs; ++i)
              s->train(i, s->samples[static_cast<std::size_t>(i)].edges);
          },
      .clear = [s] { s->out.fill_(-1); },
      .answer = [s](Form) { return numbers_of(s->out); },
      .figures = [ms = 1e3 * filling]() -> std::vector<Figure> {
        return {{"filling the cache, once", "ms", 0, ms}};
      },
  };
}

extern constexpr Step step = checked({
    .id = "dataload/precompute_transform",
    .claim = "Neighbors that are found once and kept make an epoch shorter than finding them in each.",
    .claim_ids = "data-precompute-transform",
    .sides = {"each epoch", "once"},
    .source = {.title = "xiaohan2012/stgym",
               .url = "https://github.com/xiaohan2012/stgym",
               .where = "commit 5539324 (#113)"},
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "99.4 % of the time in __getitem__: 170 s CPU, 0.80 s GPU, 5 epochs",
                    .on_cpu = Outcome::helps},
});

}  // namespace microbench::dataload_precompute_transform
