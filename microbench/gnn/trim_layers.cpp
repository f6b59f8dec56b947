// Compute in each layer only the nodes that the next layer reads.
//
// Question: A sample of three hops has 16 seeds and 14,656 nodes. How many rows does the third layer compute
// if it gets the whole sample, and how many does it need?
//
// A sampled batch is a graph: seeds, their neighbors, and so on. A layer for graphs gives each node of it a
// new row. But only the seeds are learned from, so the last layer needs 16 rows, the one before it 256 (seeds
// and first hop), and the first 2,656. If nodes stand in the order in which they were found, and edges in the
// order of their targets, what a layer needs are the first rows and the first edges: trimming is a view.
// Blocks, as some libraries call a layer's own nodes and edges, are the same thing made ahead.
//
// When it does not matter: with one layer; or where the sample soon has every node of a small graph, so that
// each hop finds few new ones.
//
// A row measures three layers of means of neighbors with 64 features, forward and backward, on a sample with
// fan-outs of 15, 10 and 5, in which all nodes differ. Naive: each layer on all nodes and edges.
//
// Answer: 14,656 rows instead of 16. In all three layers together it is 43,968 rows against 2,928, so up to
// 15 times less work; the first layer's edges, which both sides read, are what remains.

#include "microbench/tip.hpp"
#include "microbench/values.hpp"

namespace microbench::gnn_trim_layers {

constexpr std::int64_t seeds = 16;
constexpr std::array<std::int64_t, 3> fan_outs{15, 10, 5};
constexpr std::int64_t width = 64;
constexpr auto layers = fan_outs.size();

/// Nodes that are so many hops away at most.
constexpr std::int64_t nodes_within(std::size_t hops) {
  std::int64_t all = seeds, last = seeds;
  for (std::size_t hop = 0; hop < hops; ++hop) all += last *= fan_outs[hop];
  return all;
}

struct State {
  explicit State(const Setup& setup) : x(normal_values(setup, {nodes_within(layers), width})) {
    const auto longs = x.options().dtype(at::kLong);
    std::vector<at::Tensor> of_hop;
    for (std::size_t hop = 0; hop < layers; ++hop) {
      const auto begin = hop == 0 ? 0 : nodes_within(hop - 1);
      of_hop.push_back(at::arange(begin, nodes_within(hop), longs).repeat_interleave(fan_outs[hop]));
    }
    targets = at::cat(of_hop);
    sources = at::arange(seeds, nodes_within(layers), longs);  // each edge finds a node
    for (std::size_t layer = 0; layer < layers; ++layer)
      weights.push_back(normal_values(setup, {width, width}, 1 + layer).div(8).requires_grad_());
  }

  /// A layer that gives the first `rows` nodes; their edges are the first ones.
  at::Tensor layer(const at::Tensor& in, std::int64_t rows, std::int64_t edges, std::size_t which) const {
    const auto messages = in.index_select(0, sources.narrow(0, 0, edges));
    const auto zeros = at::zeros({rows, width}, x.options());
    const auto sums = zeros.index_add(0, targets.narrow(0, 0, edges), messages);
    return at::mm(sums + in.narrow(0, 0, rows), weights[which]).relu();
  }

  void step(bool trims) {
    auto h = x;
    for (std::size_t i = 0; i < layers; ++i) {
      const auto hops = layers - 1 - i;
      const auto rows = nodes_within(trims ? hops : layers);
      const auto edges = nodes_within(trims ? hops + 1 : layers) - seeds;
      h = layer(h, rows, edges, i);
    }
    seen = h.narrow(0, 0, seeds);
    for (const auto& weight : weights) weight.mutable_grad().reset();
    seen.sum().backward();
  }

  at::Tensor x, sources, targets, seen;
  std::vector<at::Tensor> weights;
};

Trial prepare(Setup& setup, const Point& /*point*/) {
  const auto s = std::make_shared<State>(setup);
  return {
      .naive = [s] { s->step(false); },
      .optimized = [s] { s->step(true); },
      .clear =
          [s] {
            s->seen = at::full({seeds, width}, -1.F);
            for (const auto& weight : s->weights) weight.mutable_grad() = at::full_like(weight, -1);
          },
      .answer = [s](Form) -> Answer {
        std::vector<at::Tensor> parts{s->seen.detach().view(-1).to(s->x.device())};
        for (const auto& weight : s->weights) parts.push_back(weight.grad().view(-1));
        return numbers_of(at::cat(parts));
      },
  };
}

extern constexpr Step step = checked({
    .id = "gnn/trim_layers",
    .claim = "Layers that compute only what the next layer reads are faster on a sampled graph.",
    .sides = {"all nodes", "trimmed"},
    .source = {"PyTorch Geometric, Hierarchical Neighborhood Sampling",
               "https://pytorch-geometric.readthedocs.io/en/latest/advanced/hgam.html", "trim_to_layer"},
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure"},
    .tolerance = {.relative = 1e-4, .why = "sums over other numbers of rows are split in another way"},
});

}  // namespace microbench::gnn_trim_layers
