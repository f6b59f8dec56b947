#include "workloads/stgym/data/cell_file.hpp"

#include "harness/core/setup.hpp"
#include "harness/support/text.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <set>
#include <unordered_map>
#include <utility>

namespace workloads::stgym {
namespace {

using Names = const std::string_view[];

constexpr Names breast_cancer_group = {"donor_id", "sample_uuid"};
constexpr Names breast_cancer_dropped = {"author_cell_type", "sex", "tissue", "development_stage",
                                         "Unnamed: 0"};

constexpr Names human_crc_group = {"patients", "Z:Z"};
constexpr Names human_crc_dropped = {"CellID", "Region", "ClusterID", "ClusterName", "neighborhood name"};

constexpr Names brca_group = {"grade",  "gender", "age",    "Patientstatus",  "diseasestatus",
                              "PTNM_M", "PTNM_T", "PTNM_N", "Post-surgeryTx", "clinical_type"};
constexpr Names brca_dropped = {"cellID"};

// The benchmark's radius leaves every graph of the two imaging data sets without an edge.
constexpr NeighbourRule ten_nearest{.kind = NeighbourRule::Kind::knn, .k = 10};

constexpr Layout known_layouts[] = {
    {.name = "breast-cancer",
     .group_by = breast_cancer_group,
     .x = "UMAP_1",
     .y = "UMAP_2",
     .label = "cell_type",
     .dropped = breast_cancer_dropped,
     .classes = 39},
    {.name = "human-crc",
     .group_by = human_crc_group,
     .x = "X:X",
     .y = "Y:Y",
     .label = "neighborhood10",
     .label_kind = LabelKind::number,
     .dropped = human_crc_dropped,
     .classes = 10,
     .rule = ten_nearest},
    {.name = "brca",
     .group_by = brca_group,
     .x = "X_centroid",
     .y = "Y_centroid",
     .label = "diseasestatus",
     .label_kind = LabelKind::equals,
     .positive = "tumor",
     .negative = "non-tumor",
     .dropped = brca_dropped,
     .task = Task::graph_classification,
     .classes = 2,
     .rule = ten_nearest},
};

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

std::span<const Layout> layouts() { return known_layouts; }

std::optional<double> number_in(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return std::nullopt;
  text = text.substr(first, text.find_last_not_of(" \t") - first + 1);
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::invalid_argument || end != text.data() + text.size()) return std::nullopt;
  // Out of range: from_chars does not say whether too large or too small; strtod does.
  return error == std::errc() ? value : std::strtod(std::string(text).c_str(), nullptr);
}

CellFile::CellFile(const std::string& path, const Layout& layout) : path_(path), reader_(path) {
  read_names();
  for (const auto name : layout.group_by) group.push_back(column(name));
  x = column(layout.x);
  y = column(layout.y);
  label = column(layout.label);

  std::set<std::string_view> used(layout.group_by.begin(), layout.group_by.end());
  used.insert(layout.dropped.begin(), layout.dropped.end());
  used.insert({layout.x, layout.y, layout.label});
  for (std::size_t i = 0; i < names_.size(); ++i)
    if (!used.contains(names_[i])) features.push_back(i);
  if (features.empty()) fail_row("no column is left for the features");
}

void CellFile::read_names() {
  if (!reader_.next()) throw harness::BadInput(path_ + ": the file is empty");
  std::map<std::string_view, std::size_t> seen;
  names_.reserve(reader_.cells().size());
  for (const auto name : reader_.cells()) {
    const auto number = names_.size();
    names_.push_back(name.empty() ? fmt::format("Unnamed: {}", number) : std::string(name));
    const auto [earlier, is_new] = seen.emplace(names_.back(), number);
    if (!is_new)
      fail_row(fmt::format("columns {} and {} are both called {}", earlier->second + 1, number + 1,
                           harness::shown(names_.back())));
  }
}

std::size_t CellFile::column(std::string_view name) const {
  const auto found = std::ranges::find(names_, name);
  if (found == names_.end()) fail_row(fmt::format("missing column {}", harness::shown(name)));
  return static_cast<std::size_t>(found - names_.begin());
}

bool CellFile::next() {
  if (!reader_.next()) return false;
  const auto cells = reader_.cells().size();
  if (cells < names_.size())
    fail(cells, fmt::format("the row ends too early, with {} cells for {} columns", cells, names_.size()));
  if (cells > names_.size())
    fail_row(fmt::format("column {} is one too many: {} cells for {} columns", names_.size() + 1, cells,
                         names_.size()));
  return true;
}

void CellFile::rewind() {
  reader_.rewind();
  reader_.next();
}

float CellFile::number(std::size_t column) const {
  const auto value = number_in(text(column));
  if (!value) fail(column, harness::shown(text(column)) + " is not a number");
  if (!(std::abs(*value) <= std::numeric_limits<float>::max()))
    fail(column, harness::shown(text(column)) + " is not a finite number in single precision");
  return static_cast<float>(*value);
}

float CellFile::position(std::size_t column) const {
  constexpr float farthest = 1e18F;
  const auto value = number(column);
  if (std::abs(value) > farthest)
    fail(column, harness::shown(text(column)) + " is beyond 1e18: distances would not be finite");
  return value;
}

void CellFile::fail(std::size_t column, const std::string& what) const {
  throw harness::BadInput(
      fmt::format("{}, line {}, column {}: {}", path_, line(), harness::shown(names_[column]), what));
}

void CellFile::fail_row(const std::string& what) const {
  throw harness::BadInput(fmt::format("{}, line {}: {}", path_, line(), what));
}

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
