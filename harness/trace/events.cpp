#include "harness/trace/events.hpp"

#include "harness/core/setup.hpp"
#include "harness/trace/classify.hpp"
#include "harness/trace/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>
#include <stdexcept>
#include <utility>

namespace harness::trace {
namespace {

namespace ondemand = simdjson::ondemand;

/// Compares a key in the text (up to its closing quote); the buffer is padded, so reading on is safe.
template <std::size_t N>
bool is(const char* key, const char (&word)[N]) {
  return std::memcmp(key, word, N - 1) == 0 && key[N - 1] == '"';
}

std::int64_t id(std::string_view token) { return integer(token).value_or(absent); }

std::int32_t small(std::int64_t value) {
  const bool fits = value >= 0 && value <= std::numeric_limits<std::int32_t>::max();
  return fits ? static_cast<std::int32_t>(value) : -1;
}

/// 7 of "7" and of "stream 7".
std::int64_t trailing_number(std::string_view text) {
  const auto last = text.find_last_not_of("0123456789");
  return id(last == std::string_view::npos ? text : text.substr(last + 1));
}

/// Ranges stood among the operators in 2021; no operator has a '#' in its name.
bool is_range(std::string_view name) { return name.find('#') != std::string_view::npos; }

}  // namespace

/// The fields of one event as tokens of the text, empty where missing; its arguments already stand in the
/// record.
struct EventReader::Fields {
  char phase = 0;
  std::string_view name, category, pid, tid, ts, dur;
  Event event;
};

std::size_t EventReader::TrackHash::operator()(const TrackKey& key) const {
  const std::hash<std::string_view> hash;
  return hash(key.pid) * 31 + hash(key.tid);
}

void EventReader::refuse(std::string_view what) const {
  throw BadInput(fmt::format("{}: event {}: {}", trace_.file, seen_, what));
}

std::int64_t EventReader::time(std::string_view token, std::string_view field) const {
  if (token.empty()) refuse(fmt::format("\"{}\" is missing", field));
  const auto value = nanoseconds(token);
  if (!value) refuse(fmt::format("\"{}\" is not a time in microseconds", field));
  return *value;
}

std::uint32_t EventReader::track(std::string_view pid, std::string_view tid) {
  const auto [known, added] =
      tracks_.try_emplace({pid, tid}, static_cast<std::uint32_t>(trace_.tracks.size()));
  if (added) {
    trace_.tracks.push_back({std::string(pid), std::string(tid)});
    open_.emplace_back();
  }
  return known->second;
}

void EventReader::read_arguments(ondemand::value& value, Document& document, Event& event) const {
  const char* begin = value.raw_json_token().data();
  ondemand::object args;
  if (value.get_object().get(args) != simdjson::SUCCESS) return;
  for (ondemand::field field : args) {
    const char* key = field.key().raw();
    const auto token = [&] { return field.value().raw_json_token(); };
    if (is(key, "External id") || is(key, "external id")) event.external_id = id(token());
    if (is(key, "Sequence number")) event.sequence = id(token());
    if (is(key, "correlation")) event.correlation = id(token());
    if (is(key, "blocks per SM")) event.blocks_per_sm = real(token());
    if (is(key, "est. achieved occupancy %")) event.occupancy = real(token());
    if (is(key, "stream")) event.stream = small(id(token()));
    if (is(key, "device") || is(key, "Device Id")) event.device = small(id(token()));
    if (is(key, "bytes") || is(key, "Bytes") || is(key, "size")) event.bytes = id(token());
  }
  const char* end = document.current_location();
  const std::string_view text = trimmed({begin, static_cast<std::size_t>(end - begin)});
  event.args_offset = static_cast<std::uint32_t>(begin - trace_.text.data());
  event.args_length = static_cast<std::uint32_t>(text.size());
}

/// False as soon as the event cannot matter here.
bool EventReader::read_fields(ondemand::object& event, Document& document, Fields& fields) const {
  for (ondemand::field field : event) {
    const char* key = field.key().raw();
    ondemand::value& value = field.value();
    if (is(key, "args")) {
      read_arguments(value, document, fields.event);
      continue;
    }
    const std::string_view token = trimmed(value.raw_json_token());
    if (is(key, "ph")) {
      fields.phase = token.size() == 3 && token[0] == '"' ? token[1] : '\0';
      if (std::strchr("XBEi", fields.phase) == nullptr || fields.phase == 0) return false;
    } else if (is(key, "name")) {
      fields.name = token;
    } else if (is(key, "cat")) {
      fields.category = unquoted(token);
    } else if (is(key, "ts")) {
      fields.ts = token;
    } else if (is(key, "dur")) {
      fields.dur = token;
    } else if (is(key, "pid")) {
      fields.pid = unquoted(token);
    } else if (is(key, "tid")) {
      fields.tid = unquoted(token);
    }
  }
  return fields.phase != 0;
}

void EventReader::add(Fields& fields) {
  if (fields.name.size() < 2 || fields.name[0] != '"') refuse("\"name\" is missing or not a string");
  Event& event = fields.event;
  event.name = names_.intern(unquoted(fields.name));
  const std::string_view name = names_.names[event.name];
  event.kind = kind_of(fields.category);
  if (fields.phase == 'i') {
    if (name != "[memory]") return;
    event.kind = Kind::memory;
  }
  if (event.kind == Kind::cpu_op && is_range(name)) event.kind = Kind::user_annotation;
  event.ts = time(fields.ts, "ts");
  if (fields.phase == 'X') event.dur = time(fields.dur, "dur");
  if (event.dur < 0) refuse("\"dur\" is below 0");
  event.track = track(fields.pid, fields.tid);
  if (on_device(event.kind)) {
    if (event.device < 0) event.device = small(id(fields.pid));
    if (event.stream < 0) event.stream = small(trailing_number(fields.tid));
  }
  if (event.kind == Kind::memcpy) {
    const CopyRoute route = route_of(name);
    event.direction = route.direction;
    event.host_memory = route.host_memory;
  }
  if (fields.phase == 'B') open_[event.track].push_back(static_cast<EventId>(trace_.events.size()));
  trace_.events.push_back(event);
}

void EventReader::close(const Fields& fields) {
  const std::int64_t end = time(fields.ts, "ts");
  auto& open = open_[track(fields.pid, fields.tid)];
  if (open.empty()) return;
  Event& event = trace_.events[open.back()];
  event.dur = std::max<std::int64_t>(end - event.ts, 0);
  open.pop_back();
}

void EventReader::read(ondemand::object object, Document& document) {
  ++seen_;
  Fields fields;
  if (!read_fields(object, document, fields)) return;
  try {
    if (fields.phase == 'E') return close(fields);
    add(fields);
  } catch (const std::invalid_argument&) {
    refuse("its name holds a malformed escape");
  }
}

void EventReader::refuse_next() {
  ++seen_;
  refuse("it is not a JSON object");
}

Interner EventReader::finish() {
  std::int64_t first = trace_.events.empty() ? 0 : farthest_ns;
  for (const Event& event : trace_.events) first = std::min(first, event.ts);
  for (Event& event : trace_.events) event.ts -= first;
  trace_.origin = first;
  return std::move(names_);
}

}  // namespace harness::trace
