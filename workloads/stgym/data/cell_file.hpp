// The rows of a CSV file of cells, by column.
#pragma once

#include "workloads/stgym/data/csv.hpp"
#include "workloads/stgym/data/layout.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace workloads::stgym {

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

}  // namespace workloads::stgym
