#include "workloads/sage/number_table.hpp"

#include "harness/core/parse_number.hpp"
#include "harness/core/setup.hpp"
#include "harness/support/read_text.hpp"
#include "harness/support/shown.hpp"

#include "workloads/sage/npy_file.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <fstream>
#include <string_view>
#include <vector>

namespace workloads::sage {
namespace {

using harness::BadInput;

/// Reads lines into one row of numbers after the other.
template <class Number>
class CsvNumbers {
 public:
  explicit CsvNumbers(const std::filesystem::path& file) : file_(file), in_(file) {
    for (std::string line; std::getline(in_, line);) {
      ++line_;
      if (line.ends_with('\r')) line.pop_back();
      if (line.empty()) fail("the line is empty");
      add(line);
    }
    if (numbers_.empty()) throw BadInput(fmt::format("{}: the file is empty", file.string()));
  }

  at::Tensor table() const { return at::tensor(numbers_).view({-1, columns_}); }

 private:
  void add(std::string_view line) {
    std::int64_t columns = 0;
    for (std::size_t begin = 0; begin <= line.size(); ++columns) {
      const auto end = std::min(line.find(',', begin), line.size());
      add_cell(line.substr(begin, end - begin));
      begin = end + 1;
    }
    if (columns_ == 0) columns_ = columns;
    if (columns != columns_) fail(fmt::format("{} columns, where line 1 has {}", columns, columns_));
  }

  void add_cell(std::string_view cell) {
    const auto number = harness::parse_number<Number>(cell);
    if (!number)
      fail(fmt::format("{} is not a {}", harness::shown(std::string(cell)),
                       std::is_integral_v<Number> ? "whole number" : "number"));
    numbers_.push_back(*number);
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw BadInput(fmt::format("{}, line {}: {}", file_.string(), line_, what));
  }

  std::filesystem::path file_;
  std::ifstream in_;
  std::int64_t line_ = 0, columns_ = 0;
  std::vector<Number> numbers_;
};

}  // namespace

std::string NumberTable::place(std::int64_t row) const {
  return fmt::format("{}, {} {}", file.string(), is_csv ? "line" : "entry", is_csv ? row + 1 : row);
}

NumberTable read_numbers(const std::filesystem::path& folder, const std::string& name, at::ScalarType type) {
  if (const auto array = folder / (name + ".npy"); std::filesystem::exists(array)) {
    const auto numbers = read_npy(array);
    if (type == at::kLong && numbers.is_floating_point())
      throw BadInput(fmt::format("{}: its numbers are not whole ones", array.string()));
    return {.file = array, .numbers = numbers.to(type)};
  }
  const auto csv = folder / (name + ".csv");
  harness::require_regular_file(csv);
  return {
      .file = csv,
      .is_csv = true,
      .numbers = type == at::kLong ? CsvNumbers<std::int64_t>(csv).table() : CsvNumbers<float>(csv).table()};
}

}  // namespace workloads::sage
