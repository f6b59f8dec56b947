#include "workloads/stgym/data/read_cells.hpp"

#include "harness/support/shown.hpp"

#include "workloads/stgym/data/cell_file.hpp"
#include "workloads/stgym/data/csv.hpp"
#include "workloads/stgym/data/require_memory.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <cmath>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace workloads::stgym {
namespace {

/// What the first reading finds out: of each row its graph and its label, of each graph its size.
struct Plan {
  std::vector<std::int32_t> graph, label;
  std::vector<std::int64_t> sizes;
};

/// Turns the text of the label column into numbers, row by row.
class Labels {
 public:
  explicit Labels(const Layout& layout) : layout_(layout) {}

  std::int32_t read(const CellFile& file) {
    const auto text = file.text(file.label);
    if (text.empty()) file.fail(file.label, "the label is missing");
    if (layout_.label_kind == LabelKind::equals) return one_of_two(file, text);
    if (layout_.label_kind == LabelKind::number) return checked(file, number_in(text));
    const auto [found, is_new] =
        categories_.emplace(std::string(text), static_cast<std::int32_t>(categories_.size()));
    if (is_new && found->second >= layout_.classes)
      file.fail(file.label, fmt::format("{} is label number {}, but there are {} classes",
                                        harness::shown(text), found->second + 1, layout_.classes));
    return found->second;
  }

  /// Categories were numbered as they came; now that all are known they are numbered as sorted.
  void finish(std::vector<std::int32_t>& labels) const {
    if (layout_.label_kind != LabelKind::category) return;
    std::vector<std::int32_t> code(categories_.size());
    std::int32_t next = 0;
    for (const auto& [text, number] : categories_) code[static_cast<std::size_t>(number)] = next++;
    for (auto& label : labels) label = code[static_cast<std::size_t>(label)];
  }

 private:
  std::int32_t one_of_two(const CellFile& file, std::string_view text) const {
    if (text != layout_.positive && text != layout_.negative)
      file.fail(file.label, fmt::format("the label {} is neither {} nor {}", harness::shown(text),
                                        harness::shown(layout_.positive), harness::shown(layout_.negative)));
    return text == layout_.positive ? 1 : 0;
  }

  std::int32_t checked(const CellFile& file, std::optional<double> value) const {
    const auto text = harness::shown(file.text(file.label));
    if (!value) file.fail(file.label, text + " is not a number");
    if (!(*value >= 0 && *value < static_cast<double>(layout_.classes)) || std::floor(*value) != *value)
      file.fail(file.label, fmt::format("the label {} is not one of 0 to {}", text, layout_.classes - 1));
    return static_cast<std::int32_t>(*value);
  }

  const Layout& layout_;
  std::map<std::string, std::int32_t, std::less<>> categories_;
};

/// Names the graph of this row: the cells of its group columns, with a separator that text does not hold.
std::string group_key(const CellFile& file) {
  std::string key;
  for (const auto column : file.group) {
    const auto text = file.text(column);
    if (text.find_first_not_of(" \t") == text.npos)
      file.fail(column, "it is empty, so this cell belongs to no graph");
    (key += text) += '\x1f';
  }
  return key;
}

Plan plan_rows(CellFile& file, const Layout& layout) {
  struct Graph {
    std::int32_t number, label;
    std::size_t line;
  };
  Plan plan;
  Labels labels(layout);
  std::unordered_map<std::string, Graph> graphs;
  while (file.next()) {
    const auto label = labels.read(file);
    const auto number = static_cast<std::int32_t>(graphs.size());
    const auto [found, is_new] = graphs.emplace(group_key(file), Graph{number, label, file.line()});
    const auto& graph = found->second;
    if (is_new) plan.sizes.push_back(0);
    if (layout.task == Task::graph_classification && graph.label != label)
      file.fail(file.label, fmt::format("{} differs from this graph's label on line {}",
                                        harness::shown(file.text(file.label)), graph.line));
    ++plan.sizes[static_cast<std::size_t>(graph.number)];
    plan.graph.push_back(graph.number);
    plan.label.push_back(label);
  }
  if (plan.graph.empty()) file.fail_row("the file has a header but no cells");
  labels.finish(plan.label);
  return plan;
}

/// The second reading: every row into its place.
void fill(Dataset& dataset, CellFile& file, const Plan& plan) {
  auto* x = dataset.x.mutable_data_ptr<float>();
  auto* position = dataset.position.mutable_data_ptr<float>();
  auto* y = dataset.y.mutable_data_ptr<std::int64_t>();
  auto place = dataset.offsets;
  std::size_t row = 0;
  for (; file.next(); ++row) {
    if (row == plan.graph.size()) break;
    const auto graph = static_cast<std::size_t>(plan.graph[row]);
    const auto node = place[graph]++;
    y[dataset.task == Task::node_classification ? node : plan.graph[row]] = plan.label[row];
    position[2 * node] = file.position(file.x);
    position[2 * node + 1] = file.position(file.y);
    auto* feature = x + node * dataset.features();
    for (const auto column : file.features) *feature++ = file.number(column);
  }
  if (row != plan.graph.size() || file.next()) file.fail_row("the file changed while it was read");
}

}  // namespace

Dataset read_cells(const std::string& path, const Layout& layout) {
  CellFile file(path, layout);
  const auto plan = plan_rows(file, layout);
  Dataset dataset;
  dataset.name = layout.name;
  dataset.source = path;
  dataset.task = layout.task;
  dataset.classes = layout.classes;
  dataset.rule = layout.rule;
  dataset.offsets = {0};
  for (const auto size : plan.sizes) dataset.offsets.push_back(dataset.offsets.back() + size);

  const auto features = static_cast<std::int64_t>(file.features.size());
  const auto nodes = dataset.nodes();
  require_memory(static_cast<std::size_t>(nodes * features) * sizeof(float));
  dataset.x = at::empty({nodes, features}, at::kFloat);
  dataset.position = at::empty({nodes, 2}, at::kFloat);
  const bool per_node = layout.task == Task::node_classification;
  dataset.y = at::empty({per_node ? nodes : dataset.graphs()}, at::kLong);
  file.rewind();
  fill(dataset, file, plan);
  return dataset;
}

}  // namespace workloads::stgym
