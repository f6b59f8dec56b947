#include "harness/trace/event_arguments.hpp"

#include "harness/trace/trace_text.hpp"

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
      if (is_key(key, "est. achieved occupancy %")) event.occupancy = real(value);
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

}  // namespace harness::trace
