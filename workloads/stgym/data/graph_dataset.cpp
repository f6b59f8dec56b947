#include "workloads/stgym/data/graph_dataset.hpp"

#include "harness/core/slot_order.hpp"
#include "harness/machine/available_memory.hpp"
#include "harness/support/quantity.hpp"

#include "workloads/stgym/data/cell_file.hpp"
#include "workloads/stgym/data/csv.hpp"
#include "workloads/stgym/data/nearest_nodes.hpp"
#include "workloads/stgym/data/synthetic.hpp"
#include "workloads/stgym/space/configuration_option.hpp"
#include "workloads/stgym/space/data_option.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <numeric>

namespace workloads::stgym {
namespace {

/// Labels each graph by the mean class number of its nodes: the graphs in the order of that mean, in
/// `classes` parts of equal size. A label that a model can learn from features, since classes depend on them.
void label_graphs(Dataset& dataset, std::int64_t classes) {
  const auto* label = dataset.y.const_data_ptr<std::int64_t>();
  std::vector<std::pair<double, std::int64_t>> order;  // mean class number, graph
  for (std::int64_t graph = 0; graph < dataset.graphs(); ++graph) {
    const auto begin = dataset.offsets[static_cast<std::size_t>(graph)];
    std::int64_t sum = 0;
    for (auto node = begin; node < begin + dataset.nodes(graph); ++node) sum += label[node];
    order.emplace_back(static_cast<double>(sum) / static_cast<double>(dataset.nodes(graph)), graph);
  }
  std::ranges::sort(order);
  auto labels = at::empty({dataset.graphs()}, at::kLong);
  auto* const made = labels.mutable_data_ptr<std::int64_t>();
  for (std::int64_t rank = 0; rank < dataset.graphs(); ++rank)
    made[order[static_cast<std::size_t>(rank)].second] = rank * classes / dataset.graphs();
  dataset.y = labels;
  dataset.classes = classes;
  dataset.task = Task::graph_classification;
}

/// The neighbour rule and, for a classification of graphs whose nodes are labelled, labels of graphs.
/// `radius` is left as it is.
void configure(Dataset& dataset, const space::Configuration& configuration) {
  const auto& loader = configuration.data_loader;
  if (loader.graph_const == space::GraphConstruction::radius)
    dataset.rule = {.kind = NeighbourRule::Kind::radius, .radius_ratio = loader.radius_ratio};
  else
    dataset.rule = {.kind = NeighbourRule::Kind::knn, .k = static_cast<int>(loader.knn_k)};
  const bool of_graphs = configuration.task.type == space::TaskType::graph_classification;
  if (of_graphs && dataset.task == Task::node_classification)
    label_graphs(dataset, configuration.task.num_classes);
}

constexpr std::size_t most_radius_neighbours = 32;

/// x and y of the graph's nodes in turn.
std::span<const float> positions(const Dataset& dataset, std::int64_t graph) {
  const auto offset = dataset.offsets[static_cast<std::size_t>(graph)];
  return {dataset.position.const_data_ptr<float>() + 2 * offset,
          static_cast<std::size_t>(2 * dataset.nodes(graph))};
}

/// The larger of the extents in x and y.
double span_of(std::span<const float> xy) {
  double least[] = {xy[0], xy[1]};
  double largest[] = {xy[0], xy[1]};
  for (std::size_t i = 0; i < xy.size(); ++i) {
    least[i % 2] = std::min<double>(least[i % 2], xy[i]);
    largest[i % 2] = std::max<double>(largest[i % 2], xy[i]);
  }
  return std::max(largest[0] - least[0], largest[1] - least[1]);
}

void resolve_radius(Dataset& dataset) {
  if (dataset.rule.kind != NeighbourRule::Kind::radius) return;
  double least = std::numeric_limits<double>::infinity();
  double largest = 0;
  for (std::int64_t graph = 0; graph < dataset.graphs(); ++graph) {
    const auto span = span_of(positions(dataset, graph));
    least = std::min(least, span);
    largest = std::max(largest, span);
  }
  dataset.radius = dataset.rule.radius_ratio * (largest - least);
}

void require_edges(const Dataset& dataset) {
  for (std::int64_t graph = 0; graph < dataset.graphs(); ++graph)
    if (neighbour_edges(dataset, graph).size(1) > 0) return;
  const auto rule = dataset.rule.kind == NeighbourRule::Kind::radius
                        ? fmt::format("within the radius of {:.6g}", dataset.radius)
                        : std::string("because each has only one node");
  throw harness::BadInput(
      fmt::format("{}: none of the {} graphs has an edge {}", dataset.source, dataset.graphs(), rule));
}

Dataset from_file(const space::DataOption& data) {
  return read_cells(data.file, *std::ranges::find(layouts(), data.name, &Layout::name));
}

using Graphs = std::vector<std::int64_t>;

std::int64_t share_of(std::int64_t graphs, double ratio) {
  // 0.29 x 100 is 28.999999999999996.
  return static_cast<std::int64_t>(std::floor(static_cast<double>(graphs) * ratio + 1e-9));
}

/// All graphs in the seed's order.
Graphs drawn_order(std::int64_t graphs, std::uint64_t seed) {
  Graphs order(static_cast<std::size_t>(graphs));
  std::iota(order.begin(), order.end(), 0);
  harness::Random random(harness::row_seed(seed, "stgym/split"));
  harness::shuffle(order, random);
  return order;
}

/// `field` is what begins the message, for a user who wrote the ratios.
Split by_ratio(const Dataset& dataset, const space::RatioSplit& rule, std::uint64_t seed,
               std::string_view field) {
  const auto graphs = dataset.graphs();
  const auto train = share_of(graphs, rule.train_ratio);
  const auto validation = share_of(graphs, rule.val_ratio);
  const auto test = graphs - train - validation;
  if (train == 0 || validation == 0 || test == 0) {
    const auto least = std::ceil(1 / std::min({rule.train_ratio, rule.val_ratio, rule.test_ratio}) - 1e-9);
    const auto* const part = train == 0 ? "training" : validation == 0 ? "validation" : "test";
    throw harness::BadInput(
        fmt::format("{}: {}the {} part of a {:.4g}/{:.4g}/{:.4g} split is empty with {} graph{}; it needs at "
                    "least {:.0f}",
                    dataset.source, field, part, 100 * rule.train_ratio, 100 * rule.val_ratio,
                    100 * rule.test_ratio, graphs, graphs == 1 ? "" : "s", least));
  }
  const auto order = drawn_order(graphs, seed);
  const auto first = order.begin();
  return {.train = {first, first + train},
          .validation = {first + train, first + train + validation},
          .test = {first + train + validation, order.end()}};
}

Split by_fold(const Dataset& dataset, const space::FoldSplit& rule, std::uint64_t seed) {
  const auto graphs = dataset.graphs();
  if (graphs < rule.num_folds)
    throw harness::BadInput(fmt::format("{}: data_loader.split.num_folds: {} graph{} cannot fill {} folds",
                                        dataset.source, graphs, graphs == 1 ? "" : "s", rule.num_folds));
  const auto order = drawn_order(graphs, seed);
  Split parts;
  for (std::int64_t fold = 0; fold < rule.num_folds; ++fold) {
    const bool tests = fold == rule.split_index;
    const bool validates = fold == (rule.split_index + 1) % rule.num_folds;
    auto& part = tests ? parts.test : validates ? parts.validation : parts.train;
    part.insert(part.end(), order.begin() + fold * graphs / rule.num_folds,
                order.begin() + (fold + 1) * graphs / rule.num_folds);
  }
  return parts;
}

}  // namespace

Dataset load_dataset(const harness::Options& options, std::uint64_t seed) {
  const auto data = space::data_option(options);
  const auto scale = space::scale_option(options);
  auto dataset = data.file.empty() ? make_synthetic(scale, seed) : from_file(data);
  if (const auto configuration = space::configuration_in(options)) configure(dataset, *configuration);
  resolve_radius(dataset);
  require_edges(dataset);
  return dataset;
}

at::Tensor neighbour_edges(const Dataset& dataset, std::int64_t graph) {
  const auto& rule = dataset.rule;
  const bool by_radius = rule.kind == NeighbourRule::Kind::radius;
  const auto limit = by_radius ? most_radius_neighbours : static_cast<std::size_t>(rule.k);
  const auto radius = by_radius ? dataset.radius : std::numeric_limits<double>::infinity();
  if (dataset.position.is_cuda()) {
    const auto begin = dataset.offsets[static_cast<std::size_t>(graph)];
    return edges_on_device(dataset.position.narrow(0, begin, dataset.nodes(graph)),
                           static_cast<std::int64_t>(limit), radius);
  }
  const auto xy = positions(dataset, graph);
  const auto neighbours = find_neighbours(xy, limit, radius);

  // A counting sort: how many edges leave each node says where each node's edges begin.
  const auto nodes = xy.size() / 2;
  std::vector<std::size_t> place(nodes + 1, 0);
  for (const auto from : neighbours.index) ++place[static_cast<std::size_t>(from) + 1];
  for (std::size_t node = 0; node < nodes; ++node) place[node + 1] += place[node];
  const auto edges = neighbours.index.size();
  auto result = at::empty({2, static_cast<std::int64_t>(edges)}, at::kLong);
  auto* row = result.mutable_data_ptr<std::int64_t>();
  for (std::size_t to = 0; to < nodes; ++to)
    for (auto i = neighbours.start[to]; i < neighbours.start[to + 1]; ++i) {
      const auto from = neighbours.index[i];
      const auto at = place[static_cast<std::size_t>(from)]++;
      row[at] = from;
      row[edges + at] = static_cast<std::int64_t>(to);
    }
  return result;
}

Split split(const Dataset& dataset, std::uint64_t seed) { return by_ratio(dataset, {}, seed, ""); }

Split split(const Dataset& dataset, const std::variant<space::RatioSplit, space::FoldSplit>& rule,
            std::uint64_t seed) {
  if (const auto* folds = std::get_if<space::FoldSplit>(&rule)) return by_fold(dataset, *folds, seed);
  return by_ratio(dataset, std::get<space::RatioSplit>(rule), seed, "data_loader.split: ");
}

std::vector<std::vector<std::int64_t>> batches(const std::vector<std::int64_t>& graphs, std::int64_t size) {
  if (size < 1) throw harness::BadInput(fmt::format("--batch-size: {} is not a positive number", size));
  std::vector<std::vector<std::int64_t>> result;
  for (auto rest = graphs.begin(); rest != graphs.end();) {
    const auto end = rest + std::min<std::ptrdiff_t>(size, graphs.end() - rest);
    result.emplace_back(rest, end);
    rest = end;
  }
  return result;
}

std::vector<std::vector<std::int64_t>> shuffled_batches(std::vector<std::int64_t> graphs, std::int64_t size,
                                                        std::uint64_t seed, std::int64_t epoch) {
  harness::Random random(harness::row_seed(seed, fmt::format("stgym/epoch {}", epoch)));
  harness::shuffle(graphs, random);
  return batches(graphs, size);
}

std::size_t pinned_bytes(std::size_t bytes) { return std::bit_ceil(bytes); }

void require_memory(std::size_t bytes, std::string_view what) {
  const auto available = harness::available_memory();
  if (bytes <= available) return;
  const auto text = [](std::size_t n) { return harness::memory_text(static_cast<double>(n)); };
  throw harness::Skip(fmt::format("{} {} of memory, {} are free; a smaller --scale needs less", what,
                                  text(bytes), text(available)));
}

}  // namespace workloads::stgym
