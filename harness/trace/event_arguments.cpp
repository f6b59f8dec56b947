#include "harness/trace/event_arguments.hpp"

#include "harness/trace/text.hpp"

#include <limits>

namespace harness::trace {
namespace {

namespace ondemand = simdjson::ondemand;

/// Only numbers the event, or holds an address or a total that no other event repeats.
bool is_number_of_event(const char* key) {
  return is_key(key, "Ev Idx") || is_key(key, "Profiler Event Index") || is_key(key, "Record function id") ||
         is_key(key, "Python id") || is_key(key, "Python parent id") || is_key(key, "Addr") ||
         is_key(key, "Total Allocated") || is_key(key, "Total Reserved");
}

}  // namespace

std::string_view checked_token(ondemand::value& value) {
  constexpr std::string_view structural = ",:]}";
  const std::string_view token = value.raw_json_token();
  const char first = token.data()[0];
  const char next = token.data()[token.size()];
  const bool nested = first == '[' || first == '{';
  if (structural.find(first) != structural.npos || (!nested && next != ',' && next != '}'))
    throw simdjson::simdjson_error(simdjson::TAPE_ERROR);
  return token;
}

std::int64_t number_of(std::string_view token) { return integer(token).value_or(absent); }

std::int32_t small(std::int64_t value) {
  const bool fits = value >= 0 && value <= std::numeric_limits<std::int32_t>::max();
  return fits ? static_cast<std::int32_t>(value) : -1;
}

std::int64_t trailing_number(std::string_view text) {
  const auto last = text.find_last_not_of("0123456789");
  return number_of(last == std::string_view::npos ? text : text.substr(last + 1));
}

/// A pair of name and value, without what parts it from the next.
void ArgumentReader::keep(const char* begin, const char* end) {
  auto pair = trimmed({begin, static_cast<std::size_t>(end - begin)});
  if (pair.ends_with(',')) pair = trimmed(pair.substr(0, pair.size() - 1));
  text_.append(text_.size() > 1 ? ", " : "").append(pair);
}

void ArgumentReader::read(ondemand::value& value, ondemand::document& document, Event& event,
                          std::string_view& label) {
  ondemand::object args;
  if (value.get_object().get(args) != simdjson::SUCCESS) {
    checked_token(value);
    return;
  }
  text_ = "{";
  const char* kept = nullptr;  // where a pair begins that is kept
  for (ondemand::field field : args) {
    const char* key = field.key().raw();
    if (kept != nullptr) keep(kept, key - 1);
    kept = nullptr;
    const std::string_view text = checked_token(field.value());
    const auto token = [&] { return text; };
    if (is_key(key, "External id") || is_key(key, "external id")) {
      event.external_id = number_of(token());
    } else if (is_key(key, "Sequence number")) {
      event.sequence = number_of(token());
    } else if (is_key(key, "correlation")) {
      event.correlation = number_of(token());
    } else if (!is_number_of_event(key)) {
      kept = key - 1;
      if (is_key(key, "blocks per SM")) event.blocks_per_sm = real(token());
      if (is_key(key, "est. achieved occupancy %")) event.occupancy = real(token());
      if (is_key(key, "stream")) event.stream = small(number_of(token()));
      if (is_key(key, "device") || is_key(key, "Device Id")) event.device = small(number_of(token()));
      if (is_key(key, "bytes") || is_key(key, "Bytes") || is_key(key, "size"))
        event.bytes = number_of(token());
      if (is_key(key, "name") || is_key(key, "labels")) label = unquoted(token());
    }
  }
  if (kept != nullptr) keep(kept, document.current_location().value() - 1);
  text_ += '}';
}

}  // namespace harness::trace
