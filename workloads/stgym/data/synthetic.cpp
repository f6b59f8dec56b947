#include "workloads/stgym/data/synthetic.hpp"

#include "harness/core/slot_order.hpp"

#include "workloads/stgym/data/memory.hpp"
#include "workloads/stgym/data/recipe.hpp"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>

namespace workloads::stgym {
namespace {

constexpr std::size_t classes = Published::classes;
constexpr std::size_t features = Published::features;
constexpr std::int64_t fewest_nodes = 8;

/// One graph: where its nodes are written.
struct Slice {
  std::span<float> x, position;
  std::span<std::int64_t> y;
  float span = 0;
};

/// Class c has about 1 / (c + 1) of the nodes, up to 15 times more in one graph than in another.
void draw_classes(Slice& graph, Engine& engine) {
  std::array<std::uint64_t, classes> up_to;
  std::uint64_t sum = 0;
  for (std::size_t c = 0; c < classes; ++c) {
    sum += (std::uint64_t{1} << 40) / (c + 1) * (1 + engine() % 15);
    up_to[c] = sum;
  }
  for (auto& label : graph.y) label = std::ranges::upper_bound(up_to, engine() % sum) - up_to.begin();
}

/// Close to normal, by the sum of four 16-bit numbers: mean 0, deviation 37,837.
std::int64_t bell(std::uint64_t bits) {
  constexpr std::int64_t mean = 4 * 0xFFFF / 2;
  std::int64_t sum = 0;
  for (int i = 0; i < 4; ++i) sum += static_cast<std::int64_t>((bits >> (16 * i)) & 0xFFFF);
  return sum - mean;
}

/// Clusters by class, in whole grid steps; then stretched so that the larger extent is the graph's span.
void draw_positions(Slice& graph, const Recipe& recipe, Engine& engine) {
  const auto nodes = graph.y.size();
  std::vector<std::int64_t> x(nodes), y(nodes);
  for (std::size_t i = 0; i < nodes; ++i) {
    const auto& it = recipe.of_class[static_cast<std::size_t>(graph.y[i])];
    x[i] = it.x + bell(engine()) * it.half_steps / 2;
    y[i] = it.y + bell(engine()) * it.half_steps / 2;
  }
  x[1] = x[0];
  y[1] = y[0];

  const auto [left, right] = std::ranges::minmax(x);
  const auto [bottom, top] = std::ranges::minmax(y);
  const double step =
      static_cast<double>(graph.span) / static_cast<double>(std::max(right - left, top - bottom));
  for (std::size_t i = 0; i < nodes; ++i) {
    graph.position[2 * i] = static_cast<float>(static_cast<double>(x[i] - left) * step);
    graph.position[2 * i + 1] = static_cast<float>(static_cast<double>(y[i] - bottom) * step);
  }
  // Nodes 0 and 1 lie within the benchmark's radius of 8.6e-4: a graph without an edge would make the loss
  // infinite. The second one moves inwards, which leaves the span as it is.
  constexpr float near = 1.0F / 4096;
  graph.position[2] += x[0] - left < right - x[0] ? near : -near;
}

void draw_graph(Slice& graph, const Recipe& recipe, Engine engine) {
  draw_classes(graph, engine);
  draw_positions(graph, recipe, engine);
  for (std::size_t i = 0; i < graph.y.size(); ++i)
    draw_features(graph.x.subspan(i * features, features), recipe, graph.y[i], engine);
}

/// Which graph has which of the sizes, and the spans: the smallest graph has the least, the largest the
/// largest, the others anything between.
struct Shapes {
  std::vector<std::int64_t> offsets = {0};
  std::vector<float> spans;
};

Shapes draw_shapes(double scale, std::uint64_t seed) {
  const auto sizes = synthetic_sizes(scale);
  std::vector<std::size_t> rank(sizes.size());
  std::iota(rank.begin(), rank.end(), 0);
  harness::Random random(harness::row_seed(seed, "stgym/order"));
  harness::shuffle(rank, random);
  Shapes shapes;
  for (const auto r : rank) {
    shapes.offsets.push_back(shapes.offsets.back() + sizes[r]);
    const double range = Published::largest_span - Published::least_span;
    const double part = range * static_cast<double>(random.below(1 << 20)) / (1 << 20);
    const bool first = r == 0;
    const bool last = r + 1 == sizes.size();
    shapes.spans.push_back(first  ? Published::least_span
                           : last ? Published::largest_span
                                  : static_cast<float>(Published::least_span + part));
  }
  return shapes;
}

}  // namespace

std::vector<std::int64_t> synthetic_sizes(double scale) {
  // A cubic curve from `fewest` to the maximum; `fewest` is what lets the mean come out, and what is left of
  // the sum goes to the smallest graphs, one node each.
  constexpr std::int64_t fewest = 1067;
  constexpr auto last = Published::graphs - 1;
  std::vector<std::int64_t> sizes;
  for (std::int64_t i = 0; i <= last; ++i)
    sizes.push_back(fewest + (Published::most_nodes - fewest) * (i * i * i) / (last * last * last));
  const auto missing = Published::nodes - std::reduce(sizes.begin(), sizes.end());
  for (std::int64_t i = 0; i < missing; ++i) ++sizes[static_cast<std::size_t>(i)];
  for (auto& size : sizes)
    size = std::max(fewest_nodes, static_cast<std::int64_t>(std::floor(static_cast<double>(size) * scale)));
  return sizes;
}

Dataset make_synthetic(double scale, std::uint64_t seed) {
  Dataset dataset;
  dataset.name = dataset.source = "synthetic";
  dataset.classes = Published::classes;
  auto [offsets, spans] = draw_shapes(scale, seed);
  dataset.offsets = std::move(offsets);
  const auto nodes = dataset.nodes();
  require_memory(static_cast<std::size_t>(nodes) * features * sizeof(float));
  dataset.x = at::empty({nodes, Published::features}, at::kFloat);
  dataset.position = at::empty({nodes, 2}, at::kFloat);
  dataset.y = at::empty({nodes}, at::kLong);

  const auto recipe = make_recipe(seed);
  const std::span x(dataset.x.mutable_data_ptr<float>(), static_cast<std::size_t>(dataset.x.numel()));
  const std::span position(dataset.position.mutable_data_ptr<float>(), static_cast<std::size_t>(2 * nodes));
  const std::span y(dataset.y.mutable_data_ptr<std::int64_t>(), static_cast<std::size_t>(nodes));
  at::parallel_for(0, dataset.graphs(), 1, [&](std::int64_t begin, std::int64_t end) {
    for (auto g = begin; g < end; ++g) {
      const auto first = static_cast<std::size_t>(dataset.offsets[static_cast<std::size_t>(g)]);
      const auto size = static_cast<std::size_t>(dataset.nodes(g));
      Slice graph{.x = x.subspan(first * features, size * features),
                  .position = position.subspan(2 * first, 2 * size),
                  .y = y.subspan(first, size),
                  .span = spans[static_cast<std::size_t>(g)]};
      draw_graph(graph, recipe, engine_for(seed, fmt::format("graph {}", g)));
    }
  });
  return dataset;
}

}  // namespace workloads::stgym
