#include "workloads/sage/npy_file.hpp"

#include "harness/core/setup.hpp"
#include "harness/support/read_text.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <optional>
#include <regex>
#include <string>
#include <utility>
#include <vector>

namespace workloads::sage {
namespace {

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
    if (side->length() > most_digits) fail(file, fmt::format("a side of {} is too long", side->str()));
    shape.push_back(std::stoll(side->str()));
  }
  if (shape.empty() || shape.size() > 2)
    fail(file, fmt::format("the array has {} dimensions, not one or two", shape.size()));
  if (shape.size() == 1) shape.push_back(1);
  if (std::ranges::find(shape, 0) != shape.end()) fail(file, "the array is empty");
  return shape;
}

}  // namespace

at::Tensor read_npy(const std::filesystem::path& file) {
  harness::require_regular_file(file);
  std::ifstream in(file, std::ios::binary);
  const auto header = header_of(in, file);
  const auto name = field_of(header, "'descr': *'([^']*)'", file);
  const auto* const type = std::ranges::find(types, name, [](const auto& known) { return known.first; });
  if (type == std::end(types))
    fail(file, fmt::format("numbers of type '{}' are none of <i4, <i8, <f2, <f4, <f8", name));
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

}  // namespace workloads::sage
