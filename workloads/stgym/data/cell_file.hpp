// A CSV file of cells as a data set, and which columns are what: data, not code.
#pragma once

#include "workloads/stgym/data/csv.hpp"
#include "workloads/stgym/data/graph_dataset.hpp"

#include <span>

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

/// Text as a number; nothing where it is none. Blanks around it and a plus sign are allowed, as in pandas.
std::optional<double> number_in(std::string_view text);

/// The file with its header read: rows with as many cells as there are columns, cells by column.
class CellFile {
 public:
  CellFile(const std::string& path, const Layout& layout);

  bool next();
  void rewind();
  std::size_t line() const { return reader_.line(); }
  std::string_view text(std::size_t column) const { return reader_.cells()[column]; }
  float number(std::size_t column) const;
  /// A number whose squared distance to every other position is finite in single precision.
  float position(std::size_t column) const;
  /// Throws BadInput for the cell of this row.
  [[noreturn]] void fail(std::size_t column, const std::string& what) const;
  [[noreturn]] void fail_row(const std::string& what) const;

  std::vector<std::size_t> group, features;
  std::size_t x = 0, y = 0, label = 0;

 private:
  std::size_t column(std::string_view name) const;
  void read_names();

  std::string path_;
  CsvReader reader_;
  std::vector<std::string> names_;
};

/// Reads the file twice: once to learn which rows form which graph, once to put each row into its place; so
/// the features are held once and beside them only a few bytes per row. Graphs stand in the order in which
/// the file first names them, the nodes of a graph in the order of its rows. `radius` is left 0. Throws
/// BadInput with one sentence naming file, line and column; Skip where memory is short.
Dataset read_cells(const std::string& path, const Layout& layout);

}  // namespace workloads::stgym
