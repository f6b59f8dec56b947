#include "workloads/stgym/data/cell_file.hpp"

#include "harness/core/setup.hpp"
#include "harness/support/shown.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <set>

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

}  // namespace workloads::stgym
