#include "workloads/stgym/data/synthetic.hpp"

#include "harness/core/slot_order.hpp"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <numeric>

namespace workloads::stgym {
namespace {

using Engine = std::mt19937_64;

constexpr std::size_t word_bits = 64;
constexpr std::size_t gene_words = (Published::features + word_bits - 1) / word_bits;
using GeneSet = std::array<std::uint64_t, gene_words>;  // one bit per gene

/// A count divided by the depth of its cell, then log1p: values[depth][count - 1].
constexpr std::size_t depths = 64;
constexpr std::size_t counts = 5;
using Values = std::array<std::array<float, counts>, depths>;

/// What all graphs share: how classes look and where they lie.
struct Recipe {
  struct Class {
    GeneSet markers{};
    std::int64_t x = 0, y = 0;    // centre of its cluster, in steps of a grid
    std::int64_t half_steps = 0;  // its width
  };
  std::array<Class, Published::classes> of_class;
  Values values;
};

constexpr std::size_t gene_count = Published::features;

/// ln(v) for v >= 0.75. Own, since the bits of std::log differ between libraries.
double natural_log(double v) {
  double result = 0;
  constexpr double ln2 = 0.69314718055994530942;
  for (; v >= 1.5; v /= 2) result += ln2;
  const double z = (v - 1) / (v + 1);
  double power = z;
  for (int i = 1; i < 60; i += 2) {
    result += 2 * power / i;
    power *= z * z;
  }
  return result;
}

Values make_values() {
  Values values;
  for (std::size_t depth = 0; depth < depths; ++depth)
    for (std::size_t count = 0; count < counts; ++count) {
      const auto per_count = 0.5 + static_cast<double>(depth) / 16;  // 10,000 over all counts of the cell
      values[depth][count] = static_cast<float>(natural_log(1 + per_count * static_cast<double>(count + 1)));
    }
  return values;
}

void add_markers(GeneSet& set, int count, Engine& engine) {
  for (int i = 0; i < count; ++i) {
    const auto gene = engine() % gene_count;
    set[gene / word_bits] |= std::uint64_t{1} << (gene % word_bits);
  }
}

/// Which genes a cell of the class expresses: word w of the base at a rate of 1/4 to 1/64, markers at 1/2
/// more.
std::uint64_t expressed(std::size_t w, const Recipe::Class& of_class, Engine& engine) {
  auto genes = engine() & engine();  // NOLINT(misc-redundant-expression): two draws
  for (std::size_t halvings = w % 5; halvings > 0; --halvings) genes &= engine();
  if (of_class.markers[w] != 0) genes |= of_class.markers[w] & engine();
  constexpr auto in_last_word = gene_count - (gene_words - 1) * word_bits;
  return w + 1 < gene_words ? genes : genes & ((std::uint64_t{1} << in_last_word) - 1);
}

/// A source of bits of its own for each part of a data set, so that threads cannot change what is drawn.
Engine engine_for(std::uint64_t seed, const std::string& part) {
  return Engine(harness::row_seed(seed, "stgym/" + part));
}

Recipe make_recipe(std::uint64_t seed) {
  constexpr std::size_t lineages = 7;
  constexpr int lineage_markers = 24;
  constexpr int own_markers = 32;
  constexpr std::uint64_t grid = std::uint64_t{1} << 21;
  auto engine = engine_for(seed, "classes");
  Recipe recipe{.of_class = {}, .values = make_values()};
  std::array<GeneSet, lineages> lineage{};
  for (auto& set : lineage) add_markers(set, lineage_markers, engine);
  for (std::size_t c = 0; c < recipe.of_class.size(); ++c) {
    auto& it = recipe.of_class[c];
    it.markers = lineage[c % lineages];
    add_markers(it.markers, own_markers, engine);
    it.x = static_cast<std::int64_t>(engine() % grid);
    it.y = static_cast<std::int64_t>(engine() % grid);
    it.half_steps = static_cast<std::int64_t>(2 + engine() % 4);
  }
  return recipe;
}

/// Writes the features of one cell: about 0.1 of them above 0, the markers of its class more often.
void draw_features(std::span<float> row, const Recipe& recipe, std::int64_t label, Engine& engine) {
  const auto& of_class = recipe.of_class[static_cast<std::size_t>(label)];
  const auto& values = recipe.values[engine() % depths];
  std::ranges::fill(row, 0.0F);
  std::uint64_t bits = 0;
  int left = 0;
  for (std::size_t w = 0; w < gene_words; ++w) {
    for (auto genes = expressed(w, of_class, engine); genes != 0; genes &= genes - 1) {
      if (left-- == 0) {
        bits = engine();
        left = 15;
      }
      // Four bits a gene: half of the counts are 1, a quarter 2, and so on to 5.
      const auto count = static_cast<std::size_t>(std::countr_zero((bits & 0xF) | 0x10));
      bits >>= 4;
      row[w * word_bits + static_cast<std::size_t>(std::countr_zero(genes))] = values[count];
    }
  }
}

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
