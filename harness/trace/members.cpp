#include "harness/trace/members.hpp"

#include "harness/trace/event_arguments.hpp"
#include "harness/trace/intern.hpp"
#include "harness/trace/json_walk.hpp"
#include "harness/trace/repair.hpp"
#include "harness/trace/text.hpp"

#include <limits>

namespace harness::trace {
namespace {

std::string text_of(std::string_view value) { return printable(understood(unquoted(value)).text); }

int int_or_0(std::string_view value) {
  const auto number = number_of(value);
  return number >= 0 && number <= std::numeric_limits<int>::max() ? static_cast<int>(number) : 0;
}

DeviceProperties read_device(JsonWalk& walk) {
  DeviceProperties device;
  walk.members([&](std::string_view key) {
    const auto value = walk.value();
    if (is_key(key, "id")) device.id = number_of(value);
    if (is_key(key, "name")) device.name = text_of(value);
    if (is_key(key, "totalGlobalMem")) device.memory_bytes = number_of(value);
    if (is_key(key, "computeMajor")) device.compute_major = int_or_0(value);
    if (is_key(key, "computeMinor")) device.compute_minor = int_or_0(value);
    if (is_key(key, "numSms")) device.multiprocessors = int_or_0(value);
    if (is_key(key, "warpSize")) device.warp_size = int_or_0(value);
  });
  return device;
}

/// Anything but a clear no: a mark that was written otherwise is still one.
bool says_yes(std::string_view token) { return token != "false" && token != "null" && token != "0"; }

void read_devices(JsonWalk& walk, Trace& trace) {
  walk.entries([&] {
    if (walk.peek() != '{') {
      walk.value();
      return;
    }
    trace.devices.push_back(read_device(walk));
    if (trace.devices.back().name.starts_with("simulated ")) trace.simulated = true;
  });
}

void read_distributed(JsonWalk& walk, Trace& trace) {
  walk.members([&](std::string_view key) {
    const auto value = walk.value();
    if (is_key(key, "rank")) trace.rank = number_of(value);
    if (is_key(key, "world_size")) trace.world_size = number_of(value);
    if (is_key(key, "backend")) trace.backend = text_of(value);
  });
}

}  // namespace

std::string read_member(std::string_view name, std::string_view value, Trace& trace) {
  if (name == "record_shapes") trace.shapes_recorded = integer(value) == 1;
  if (name == "tuneproof") trace.program = program_facts(value);
  if (name == "simulated") trace.simulated = says_yes(value);
  const bool devices = name == "deviceProperties" && value.starts_with('[');
  if (!devices && (name != "distributedInfo" || !value.starts_with('{'))) return {};
  const auto member = repaired(value);
  try {
    JsonWalk walk;
    walk.open(member.text);
    devices ? read_devices(walk, trace) : read_distributed(walk, trace);
  } catch (const Unreadable& error) {
    return error.why;
  }
  return {};
}

}  // namespace harness::trace
