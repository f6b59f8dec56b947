// A row of the table of prices as it is printed: name, time and rates, in units of 10^9 as everywhere else.
#pragma once

#include "harness/support/terminal.hpp"

#include <cstddef>

namespace prices {

struct TableLine {
  std::string name;    // without what Google Benchmark adds
  std::string figure;  // a time
  std::string rate;    // empty where the row has none
  std::string more{};  // a second rate
};

/// How wide the names are: as wide as the widest, and as the terminal has room for beside the figures.
std::size_t names_width(std::size_t widest, const harness::Style& style);

/// Of what Google Benchmark says before its rows, what our table goes without: the file of --benchmark_out
/// has it.
bool is_left_to_the_file(std::string_view line);

std::string table_head(std::size_t width, const harness::Style& style);

/// A name that is wider than the column has a line of its own, and so has a second rate without room for it.
std::string table_line(const TableLine& line, std::size_t width, const harness::Style& style);

/// Below the name of a row that has no price: why not.
std::string table_error(std::string_view name, std::string_view why, const harness::Style& style);

}  // namespace prices
