#include "harness/trace/intern.hpp"
#include "harness/trace/number.hpp"
#include "harness/trace/trace.hpp"

#include <simdjson.h>

#include <stdexcept>

namespace harness {
namespace {

namespace ondemand = simdjson::ondemand;

std::string_view raw(ondemand::value value) {
  switch (ondemand::json_type(value.type())) {
    case ondemand::json_type::array: return ondemand::array(value.get_array()).raw_json();
    case ondemand::json_type::object: return ondemand::object(value.get_object()).raw_json();
    default: return trimmed(value.raw_json_token());
  }
}

}  // namespace

std::string_view argument(const Trace& trace, const Event& event, std::string_view name) {
  const std::string_view json = trace.args(event);
  if (json.empty()) return {};
  // The text lies in a padded buffer, and so does every part of it.
  const simdjson::padded_string_view padded(json.data(), json.size(), json.size() + simdjson::SIMDJSON_PADDING);
  try {
    ondemand::parser parser;
    ondemand::document document = parser.iterate(padded);
    ondemand::value value;
    if (document.find_field(name).get(value) != simdjson::SUCCESS) return {};
    return trimmed(raw(value));
  } catch (const simdjson::simdjson_error&) {
    return {};  // the arguments of this event are malformed; the event itself was not
  }
}

std::string text_argument(const Trace& trace, const Event& event, std::string_view name) {
  const std::string_view json = argument(trace, event, name);
  if (json.size() < 2 || json.front() != '"') return {};
  try {
    return unescaped(unquoted(json));
  } catch (const std::invalid_argument&) {
    return std::string(unquoted(json));
  }
}

}  // namespace harness
