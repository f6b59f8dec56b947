#include "harness/trace/members.hpp"

#include "harness/trace/event_arguments.hpp"
#include "harness/trace/intern.hpp"
#include "harness/trace/repair.hpp"
#include "harness/trace/text.hpp"

#include <simdjson.h>

#include <limits>

namespace harness::trace {
namespace {

namespace ondemand = simdjson::ondemand;

std::string text_of(ondemand::value value) {
  return printable(understood(unquoted(value.raw_json_token())).text);
}
std::int64_t number_of(ondemand::value value) { return trace::number_of(value.raw_json_token()); }

int int_or_0(std::int64_t value) {
  return value >= 0 && value <= std::numeric_limits<int>::max() ? static_cast<int>(value) : 0;
}

DeviceProperties read_device(ondemand::object object) {
  DeviceProperties device;
  for (ondemand::field field : object) {
    const ondemand::raw_json_string key = field.key();
    const ondemand::value value = field.value();
    if (key.is_equal("id")) device.id = number_of(value);
    if (key.is_equal("name")) device.name = text_of(value);
    if (key.is_equal("totalGlobalMem")) device.memory_bytes = number_of(value);
    if (key.is_equal("computeMajor")) device.compute_major = int_or_0(number_of(value));
    if (key.is_equal("computeMinor")) device.compute_minor = int_or_0(number_of(value));
    if (key.is_equal("numSms")) device.multiprocessors = int_or_0(number_of(value));
    if (key.is_equal("warpSize")) device.warp_size = int_or_0(number_of(value));
  }
  return device;
}

/// Anything but a clear no: a mark that was written otherwise is still one.
bool says_yes(std::string_view token) { return token != "false" && token != "null" && token != "0"; }

void read_devices(ondemand::value value, Trace& trace) {
  ondemand::array list;
  if (value.get_array().get(list) != simdjson::SUCCESS) return;
  for (ondemand::value entry : list) {
    ondemand::object device;
    if (entry.get_object().get(device) == simdjson::SUCCESS) trace.devices.push_back(read_device(device));
    if (!trace.devices.empty() && trace.devices.back().name.starts_with("simulated ")) trace.simulated = true;
  }
}

void read_distributed(ondemand::value value, Trace& trace) {
  ondemand::object object;
  if (value.get_object().get(object) != simdjson::SUCCESS) return;
  for (ondemand::field field : object) {
    const ondemand::raw_json_string key = field.key();
    if (key.is_equal("rank")) trace.rank = number_of(field.value());
    if (key.is_equal("world_size")) trace.world_size = number_of(field.value());
    if (key.is_equal("backend")) trace.backend = text_of(field.value());
  }
}

}  // namespace

std::string read_member(std::string_view name, std::string_view value, Trace& trace) {
  if (name == "record_shapes") trace.shapes_recorded = integer(value) == 1;
  if (name == "tuneproof") trace.program = program_facts(value);
  if (name == "simulated") trace.simulated = says_yes(value);
  const bool devices = name == "deviceProperties" && value.starts_with('[');
  if (!devices && (name != "distributedInfo" || !value.starts_with('{'))) return {};
  const simdjson::padded_string json(repaired(value).text);
  try {
    ondemand::parser parser;
    ondemand::document document = parser.iterate(json);
    if (devices)
      read_devices(document.get_value(), trace);
    else
      read_distributed(document.get_value(), trace);
  } catch (const simdjson::simdjson_error& error) {
    return error.what();
  }
  return {};
}

}  // namespace harness::trace
