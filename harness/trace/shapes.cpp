#include "harness/trace/shapes.hpp"

#include <charconv>

namespace harness::trace {
namespace {

bool digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::vector<Shape> parse_shapes(std::string_view json) {
  std::vector<Shape> shapes;
  int depth = 0;
  for (const char* at = json.data(); at != json.data() + json.size();) {
    if (*at == '[' && ++depth == 2) shapes.emplace_back();
    if (*at == '[' && depth == 3) shapes.back().clear();
    if (*at == ']') --depth;
    if (depth == 2 && digit(*at)) {
      std::int64_t value = 0;
      at = std::from_chars(at, json.data() + json.size(), value).ptr;
      shapes.back().push_back(value);
    } else {
      ++at;
    }
  }
  return shapes;
}

Shape parse_list(std::string_view json) {
  Shape list;
  for (const char* at = json.data(); at != json.data() + json.size();) {
    std::int64_t value = 0;
    const auto read = std::from_chars(at, json.data() + json.size(), value);
    if (read.ec == std::errc{}) list.push_back(value);
    at = read.ec == std::errc{} ? read.ptr : at + 1;
  }
  return list;
}

std::vector<std::string_view> parse_strings(std::string_view json) {
  std::vector<std::string_view> strings;
  for (std::size_t at = json.find('"'); at != json.npos; at = json.find('"', at + 1)) {
    const auto end = json.find('"', at + 1);
    if (end == json.npos) break;
    strings.push_back(json.substr(at + 1, end - at - 1));
    at = end;
  }
  return strings;
}

Recorded recorded(const Trace& trace, const Event& event) {
  return {.op = trace.name(event),
          .shapes = parse_shapes(argument(trace, event, "Input Dims")),
          .types = parse_strings(argument(trace, event, "Input type")),
          .values = parse_strings(argument(trace, event, "Concrete Inputs"))};
}

}  // namespace harness::trace
