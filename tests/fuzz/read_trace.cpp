// Feeds bytes to what reads a trace file, packed or not, at once and in small windows: whatever they hold,
// the answer is a trace or BadInput. Run by scripts/fuzz.sh; diagnose_trace.cpp goes on with what was read,
// and is slower.
#include "harness/core/setup.hpp"
#include "harness/trace/text.hpp"
#include "harness/trace/trace.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace {

void read(std::string_view bytes, std::size_t window) {
  try {
    harness::trace::parse_trace(bytes, "fuzz", {.window = window});
  } catch (const harness::BadInput&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const std::size_t window : {std::size_t{128}, std::size_t{1} << 20}) read(bytes, window);
  try {
    const harness::trace::ReadLimits limits{.unpacked_bytes = 1 << 20};
    if (bytes.starts_with("\x1f\x8b")) harness::trace::unpack_text(bytes, "fuzz", limits);
  } catch (const harness::BadInput&) {
  }
  return 0;
}
