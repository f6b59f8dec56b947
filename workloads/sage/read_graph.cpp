#include "workloads/sage/read_graph.hpp"

#include "harness/core/parse_number.hpp"
#include "harness/core/setup.hpp"
#include "harness/support/read_text.hpp"
#include "harness/support/text.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <limits>
#include <regex>
#include <sstream>
#include <utility>

namespace workloads::sage {
namespace {

using harness::BadInput;

struct NumberTable {
  std::filesystem::path file;
  bool is_csv = false;
  at::Tensor numbers;  // [rows, columns]

  /// Where row `row`, counted from 0, stands: "edge.csv, line 1", "edge.npy, entry 0".
  std::string place(std::int64_t row) const;
};

constexpr std::pair<std::string_view, at::ScalarType> types[] = {
    {"<i4", at::kInt}, {"<i8", at::kLong}, {"<f2", at::kHalf}, {"<f4", at::kFloat}, {"<f8", at::kDouble}};

[[noreturn]] void fail(const std::filesystem::path& file, const std::string& what) {
  throw harness::BadInput(fmt::format("{}: {}", file.string(), what));
}

/// The dictionary in front of the numbers, as text.
std::string header_of(std::ifstream& in, const std::filesystem::path& file) {
  std::array<char, 8> begin{};
  in.read(begin.data(), begin.size());
  if (!in || std::memcmp(begin.data(), "\x93NUMPY", 6) != 0) fail(file, "this is not a NumPy array");
  const std::streamsize width = begin[6] == 1 ? 2 : 4;  // of the header's length, by the format's version
  std::uint32_t length = 0;
  in.read(reinterpret_cast<char*>(&length), width);
  constexpr std::uint32_t most = 4096;
  if (!in || length > most) fail(file, "its header is damaged");
  std::string header(length, ' ');
  in.read(header.data(), length);
  if (!in) fail(file, "its header is cut off");
  return header;
}

std::string field_of(const std::string& header, const char* pattern, const std::filesystem::path& file) {
  std::smatch found;
  if (!std::regex_search(header, found, std::regex(pattern))) fail(file, "its header is damaged");
  return found[1];
}

std::vector<std::int64_t> shape_of(const std::string& text, const std::filesystem::path& file) {
  std::vector<std::int64_t> shape;
  constexpr std::ptrdiff_t most_digits = 12;
  const std::regex number("\\d+");
  for (std::sregex_iterator side(text.begin(), text.end(), number); side != std::sregex_iterator(); ++side) {
    if (side->length() > most_digits)
      fail(file, fmt::format("a side of {} is too long", harness::shown(side->str())));
    shape.push_back(std::stoll(side->str()));
  }
  if (shape.empty() || shape.size() > 2)
    fail(file, fmt::format("the array has {} dimensions, not one or two", shape.size()));
  if (shape.size() == 1) shape.push_back(1);
  if (std::ranges::find(shape, 0) != shape.end()) fail(file, "the array is empty");
  return shape;
}

/// An array of one or two dimensions as [rows, columns]: whole numbers of 4 or 8 bytes, or floating-point
/// ones of 2, 4 or 8. Throws BadInput, one sentence that names the file, where it is something else or too
/// short.
at::Tensor read_npy(const std::filesystem::path& file) {
  harness::require_regular_file(file);
  std::ifstream in(file, std::ios::binary);
  const auto header = header_of(in, file);
  const auto name = field_of(header, "'descr': *'([^']*)'", file);
  const auto* const type = std::ranges::find(types, name, [](const auto& known) { return known.first; });
  if (type == std::end(types))
    fail(file, fmt::format("numbers of type {} are none of <i4, <i8, <f2, <f4, <f8", harness::shown(name)));
  if (field_of(header, "'fortran_order': *(\\w+)", file) != "False")
    fail(file, "its columns lie one after the other; save it with numpy.ascontiguousarray");
  const auto shape = shape_of(field_of(header, "'shape': *\\(([^)]*)\\)", file), file);
  const auto row = static_cast<std::uintmax_t>(shape[1]) * c10::elementSize(type->second);
  const auto there = std::filesystem::file_size(file) - static_cast<std::uintmax_t>(in.tellg());
  if (static_cast<std::uintmax_t>(shape[0]) > there / row)
    fail(file, fmt::format("the file ends before the {} x {} numbers that its header promises", shape[0],
                           shape[1]));
  auto numbers = at::empty(shape, type->second);
  in.read(static_cast<char*>(numbers.mutable_data_ptr()), static_cast<std::streamsize>(numbers.nbytes()));
  return numbers;
}

/// Reads lines into one row of numbers after the other.
template <class Number>
class CsvNumbers {
 public:
  CsvNumbers(const std::filesystem::path& file, std::istream& in) : file_(file) {
    for (std::string line; std::getline(in, line);) {
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
  std::int64_t line_ = 0, columns_ = 0;
  std::vector<Number> numbers_;
};

std::string NumberTable::place(std::int64_t row) const {
  return fmt::format("{}, {} {}", file.string(), is_csv ? "line" : "entry", is_csv ? row + 1 : row);
}

constexpr std::uint64_t most_unpacked = std::uint64_t{64} << 30;

/// What `in` holds, a row a line.
at::Tensor csv_numbers(const std::filesystem::path& file, std::istream& in, at::ScalarType type) {
  return type == at::kLong ? CsvNumbers<std::int64_t>(file, in).table() : CsvNumbers<float>(file, in).table();
}

/// Of a file that gzip may have packed.
at::Tensor read_csv(const std::filesystem::path& file, at::ScalarType type) {
  harness::require_regular_file(file);
  if (file.extension() == ".gz") {
    std::istringstream in(harness::read_text(file, most_unpacked));
    return csv_numbers(file, in, type);
  }
  std::ifstream in(file);
  return csv_numbers(file, in, type);
}

bool is_there(const std::filesystem::path& folder, const std::string& name) {
  return std::ranges::any_of(std::array{".npy", ".csv.gz", ".csv"},
                             [&](const char* end) { return std::filesystem::exists(folder / (name + end)); });
}

/// FOLDER/NAME.npy where there is one, else FOLDER/NAME.csv.gz, else FOLDER/NAME.csv. `type` is at::kLong or
/// at::kFloat. An array of one dimension is a column. Throws BadInput, one sentence that names file and
/// place, where it is missing, empty or not of this form.
NumberTable read_numbers(const std::filesystem::path& folder, const std::string& name, at::ScalarType type) {
  if (const auto array = folder / (name + ".npy"); std::filesystem::exists(array)) {
    const auto numbers = read_npy(array);
    if (type == at::kLong && numbers.is_floating_point())
      throw BadInput(fmt::format("{}: its numbers are not whole ones", array.string()));
    return {.file = array, .numbers = numbers.to(type)};
  }
  auto csv = folder / (name + ".csv.gz");
  if (!std::filesystem::exists(csv)) csv.replace_extension();
  return {.file = csv, .is_csv = true, .numbers = read_csv(csv, type)};
}

constexpr std::int64_t most_nodes = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t most_classes = 100'000;

std::int32_t node_of(std::int64_t number, std::int64_t nodes, const NumberTable& table, std::int64_t row) {
  if (number < 0 || number >= nodes)
    throw BadInput(fmt::format("{}: node {} is not one of 0 to {}", table.place(row), number, nodes - 1));
  return static_cast<std::int32_t>(number);
}

Edges edges_of(NumberTable table, std::int64_t nodes) {
  if (!table.is_csv && table.numbers.size(0) == 2) table.numbers = table.numbers.t().contiguous();
  if (table.numbers.size(1) != 2)
    throw BadInput(fmt::format("{}: edges have two ends, and a row has {} numbers", table.file.string(),
                               table.numbers.size(1)));
  Edges edges;
  const auto* ends = table.numbers.const_data_ptr<std::int64_t>();
  for (std::int64_t row = 0; row < table.numbers.size(0); ++row) {
    edges.one.push_back(node_of(ends[2 * row], nodes, table, row));
    edges.other.push_back(node_of(ends[2 * row + 1], nodes, table, row));
  }
  if (edges.one == edges.other) fail(table.file, "each edge leads from a node to itself");
  return edges;
}

/// One a node, from 0.
at::Tensor labels_of(const NumberTable& table, const NumberTable& features) {
  if (table.numbers.size(0) != features.numbers.size(0) || table.numbers.size(1) != 1)
    throw BadInput(fmt::format("{}: {} x {} labels do not fit the {} nodes of {}", table.file.string(),
                               table.numbers.size(0), table.numbers.size(1), features.numbers.size(0),
                               features.file.string()));
  const auto* labels = table.numbers.const_data_ptr<std::int64_t>();
  for (std::int64_t row = 0; row < table.numbers.size(0); ++row)
    if (labels[row] < 0 || labels[row] >= most_classes)
      throw BadInput(fmt::format("{}: the label {} is not one of 0 to {}", table.place(row), labels[row],
                                 most_classes - 1));
  return table.numbers.view(-1);
}

void check_finite(const NumberTable& table) {
  const auto bad = at::isfinite(table.numbers).all(1).logical_not().nonzero();
  if (bad.numel() > 0)
    throw BadInput(fmt::format("{}: a feature is not finite", table.place(bad[0].item<std::int64_t>())));
}

/// Gives nodes new numbers, those of a list first.
class Renumbering {
 public:
  explicit Renumbering(std::int64_t nodes) : new_ones_(static_cast<std::size_t>(nodes), -1) {}

  /// The next numbers; returns how many nodes have one now.
  std::int64_t add(const NumberTable& list) {
    if (list.numbers.size(1) != 1)
      throw BadInput(fmt::format("{}: a list of nodes has one in a row, not {}", list.file.string(),
                                 list.numbers.size(1)));
    const auto* nodes = list.numbers.const_data_ptr<std::int64_t>();
    for (std::int64_t row = 0; row < list.numbers.size(0); ++row)
      if (!add(node_of(nodes[row], std::ssize(new_ones_), list, row)))
        throw BadInput(fmt::format("{}: node {} is in a list already", list.place(row), nodes[row]));
    return std::ssize(old_ones_);
  }

  void apply(Graph& graph, Edges& edges) {
    for (std::int64_t node = 0; node < std::ssize(new_ones_); ++node) add(node);
    const auto order = at::tensor(old_ones_);
    graph.features = graph.features.index_select(0, order);
    graph.labels = graph.labels.index_select(0, order);
    for (auto* ends : {&edges.one, &edges.other})
      for (auto& end : *ends) end = new_ones_[static_cast<std::size_t>(end)];
  }

 private:
  bool add(std::int64_t node) {
    auto& number = new_ones_[static_cast<std::size_t>(node)];
    if (number >= 0) return false;
    number = static_cast<std::int32_t>(old_ones_.size());
    old_ones_.push_back(node);
    return true;
  }

  std::vector<std::int32_t> new_ones_;
  std::vector<std::int64_t> old_ones_;
};

/// Moves the nodes of the lists `train` and `valid`, if there are any, to the front.
void take_split(const std::filesystem::path& folder, Graph& graph, Edges& edges) {
  const auto nodes = graph.features.size(0);
  graph.training = nodes * 9 / 10;
  if (!is_there(folder, "train")) return;
  Renumbering numbers(nodes);
  const auto list = read_numbers(folder, "train", at::kLong);
  graph.training = numbers.add(list);
  if (graph.training == nodes) fail(list.file, "no node is left to validate on");
  if (is_there(folder, "valid")) numbers.add(read_numbers(folder, "valid", at::kLong));
  numbers.apply(graph, edges);
}

}  // namespace

Graph read_graph(const std::filesystem::path& folder) {
  harness::require_folder(folder);
  const auto features = read_numbers(folder, "node-feat", at::kFloat);
  check_finite(features);
  const auto nodes = features.numbers.size(0);
  if (nodes > most_nodes)
    throw BadInput(fmt::format("{}: {} nodes are more than {}", features.file.string(), nodes, most_nodes));
  Graph graph{.source = folder.string(), .features = features.numbers};
  graph.labels = labels_of(read_numbers(folder, "node-label", at::kLong), features);
  graph.classes = graph.labels.max().item<std::int64_t>() + 1;
  auto edges = edges_of(read_numbers(folder, "edge", at::kLong), nodes);
  take_split(folder, graph, edges);
  graph.neighbours = neighbours_of(edges, nodes);
  return graph;
}

}  // namespace workloads::sage
