#include "harness/trace/event_arguments.hpp"

#include "harness/trace/intern.hpp"
#include "harness/trace/json_text.hpp"
#include "harness/trace/trace_text.hpp"

#include <charconv>
#include <limits>

namespace harness::trace {
namespace {

/// Only numbers the event, or holds an address or a total that no other event repeats.
bool is_number_of_event(std::string_view key) {
  return is_key(key, "Ev Idx") || is_key(key, "Profiler Event Index") || is_key(key, "Record function id") ||
         is_key(key, "Python id") || is_key(key, "Python parent id") || is_key(key, "Addr") ||
         is_key(key, "Total Allocated") || is_key(key, "Total Reserved");
}

}  // namespace

std::int64_t number_of(std::string_view token) { return integer(token).value_or(absent); }

std::int32_t small(std::int64_t value) {
  const bool fits = value >= 0 && value <= std::numeric_limits<std::int32_t>::max();
  return fits ? static_cast<std::int32_t>(value) : -1;
}

std::int64_t trailing_number(std::string_view text) {
  const auto last = text.find_last_not_of("0123456789");
  return number_of(last == std::string_view::npos ? text : text.substr(last + 1));
}

void ArgumentReader::read(JsonWalk& walk, Event& event, std::string_view& label) {
  if (walk.peek() != '{') {
    walk.value();
    return;
  }
  text_ = "{";
  walk.members([&](std::string_view key) {
    const auto value = walk.value();
    if (is_key(key, "External id") || is_key(key, "external id")) {
      event.external_id = number_of(value);
    } else if (is_key(key, "Sequence number")) {
      event.sequence = number_of(value);
    } else if (is_key(key, "correlation")) {
      event.correlation = number_of(value);
    } else if (!is_number_of_event(key)) {
      if (is_key(key, "blocks per SM")) event.blocks_per_sm = real(value);
      if (is_key(key, "stream")) event.stream = small(number_of(value));
      if (is_key(key, "device") || is_key(key, "Device Id")) event.device = small(number_of(value));
      if (is_key(key, "bytes") || is_key(key, "Bytes") || is_key(key, "size")) event.bytes = number_of(value);
      if (is_key(key, "name") || is_key(key, "labels")) label = unquoted(value);
      if (text_.size() > 1) text_ += ", ";
      text_.append(key.data() - 1, value.data() + value.size());
    }
  });
  text_ += '}';
}

std::string_view argument(const Trace& trace, const Event& event, std::string_view name) {
  std::string_view json = trace.args(event);
  if (json.empty()) return {};
  skip_value(json, 1);  // the brace
  while (!json.empty() && json.front() == '"') {
    const std::size_t length = value_length(json);
    const std::string_view key = unquoted(json.substr(0, length));
    skip_value(json, length);
    const std::string_view value = json.substr(0, value_length(json));
    if (key == name) return trimmed(value);
    skip_value(json, value.size());
  }
  return {};
}

std::string text_argument(const Trace& trace, const Event& event, std::string_view name) {
  const std::string_view json = argument(trace, event, name);
  if (json.size() < 2 || json.front() != '"') return {};
  return understood(unquoted(json)).text;
}

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
