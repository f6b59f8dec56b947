// Feeds bytes to what reads a trace file, packed or not, at once and in small windows: whatever they hold,
// the answer is a trace or BadInput, and it is the same however large the windows are. Run by
// scripts/fuzz.sh; diagnose_trace.cpp goes on with what was read, and is slower.
#include "harness/core/setup.hpp"
#include "harness/trace/trace.hpp"
#include "harness/trace/trace_text.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

/// What was read, in words; that it was refused. Which event is to blame for that, and why, may depend on
/// what the parser sees behind it.
std::string read(std::string_view bytes, std::size_t window) {
  try {
    const auto trace = harness::trace::parse_trace(bytes, "fuzz", {.window = window});
    std::string text;
    for (const auto& remark : trace.remarks) text += remark + "\n";
    for (const auto& event : trace.events)
      text += fmt::format("{} {} {} {} {}\n", trace.name(event), event.ts, event.dur, event.track,
                          trace.args(event));
    return text;
  } catch (const harness::BadInput&) {
    return "refused";
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto whole = read(bytes, std::size_t{1} << 20);
  for (const std::size_t window : {std::size_t{16}, std::size_t{128}, std::size_t{512}})
    if (const auto answer = read(bytes, window); answer != whole) {
      std::fprintf(stderr, "in windows of %zu: %s\nat once: %s\n", window, answer.c_str(), whole.c_str());
      std::abort();
    }
  try {
    const harness::trace::ReadLimits limits{.unpacked_bytes = 1 << 20};
    if (bytes.starts_with("\x1f\x8b")) harness::trace::unpack_text(bytes, "fuzz", limits);
  } catch (const harness::BadInput&) {
  }
  return 0;
}
