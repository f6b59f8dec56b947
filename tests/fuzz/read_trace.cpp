// Feeds bytes to what reads a trace file, packed or not: whatever they hold, the answer is a trace or
// BadInput, and how much of the text is parsed at a time does not change the trace. Run by scripts/fuzz.sh;
// diagnose_trace.cpp goes on with what was read, and is slower.
#include "harness/core/setup.hpp"
#include "harness/trace/text.hpp"
#include "harness/trace/trace.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>

namespace {

std::optional<harness::trace::Trace> read(std::string_view bytes, std::size_t window) {
  try {
    return harness::trace::parse_trace(bytes, "fuzz", {.window = window});
  } catch (const harness::BadInput&) {
    return std::nullopt;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto at_once = read(bytes, std::size_t{1} << 20);
  const auto in_parts = read(bytes, 128);
  if (at_once.has_value() != in_parts.has_value()) std::abort();
  if (at_once && at_once->events.size() != in_parts->events.size()) std::abort();
  try {
    const harness::trace::ReadLimits limits{.unpacked_bytes = 1 << 20};
    if (bytes.starts_with("\x1f\x8b")) harness::trace::unpack_text(bytes, "fuzz", limits);
  } catch (const harness::BadInput&) {
  }
  return 0;
}
