// Which columns of a CSV file are what: data, not code. A new data set is one more entry of `layouts`.
#pragma once

#include "workloads/stgym/data/dataset.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace workloads::stgym {

/// How the text of the label column becomes a class number.
enum class LabelKind {
  category,  // its place among the sorted texts of the column, as pandas numbers categories
  number,    // it is the number
  equals,    // 1 where it is `positive`, 0 where it is `negative`; nothing else may stand there
};

/// One row per cell. Every column that is not named here is a feature; dropped columns may be absent. A
/// column without a name in the header goes by pandas' name, "Unnamed: " and its number from 0.
struct Layout {
  std::string_view name;
  std::span<const std::string_view> group_by;  // cells that agree in these form a graph
  std::string_view x, y;
  std::string_view label;
  LabelKind label_kind = LabelKind::category;
  std::string_view positive = {}, negative = {};
  std::span<const std::string_view> dropped = {};
  Task task = Task::node_classification;
  std::int64_t classes = 0;
  NeighbourRule rule = {};
};

/// The layouts that `--data NAME=FILE` knows.
std::span<const Layout> layouts();

}  // namespace workloads::stgym
