// Feeds bytes to the trace reader, and what it made of them to everything that is computed from a trace:
// whatever they hold, the answer is a diagnosis or BadInput. Run by scripts/fuzz.sh.
#include "harness/core/setup.hpp"
#include "harness/trace/device_time.hpp"
#include "harness/trace/diagnosis.hpp"
#include "harness/trace/host_figures.hpp"
#include "harness/trace/op_table.hpp"
#include "harness/trace/trace.hpp"
#include "harness/trace/window.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace {

void use(const harness::trace::Trace& trace) {
  using namespace harness::trace;
  const std::vector<bool> chosen = inside(trace, choose_window(trace, {}));
  op_table(trace, chosen);
  device_time(trace, chosen);
  host_time(trace, chosen);
  diagnose(trace);
  for (const Event& event : trace.events) {
    argument(trace, event, "Input Dims");
    text_argument(trace, event, "Call stack");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    use(harness::trace::parse_trace(bytes, "fuzz"));
  } catch (const harness::BadInput&) {
  }
  return 0;
}
