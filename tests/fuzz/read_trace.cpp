// Feeds bytes to what reads a trace file, packed or not: whatever they hold, the answer is a trace or
// BadInput. Run by scripts/fuzz.sh; diagnose_trace.cpp goes on with what was read, and is slower.
#include "harness/core/setup.hpp"
#include "harness/trace/text.hpp"
#include "harness/trace/trace.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    harness::trace::parse_trace(bytes, "fuzz");
  } catch (const harness::BadInput&) {
  }
  try {
    const harness::trace::ReadLimits limits{.unpacked_bytes = 1 << 20};
    if (bytes.starts_with("\x1f\x8b")) harness::trace::unpack_text(bytes, "fuzz", limits);
  } catch (const harness::BadInput&) {
  }
  return 0;
}
