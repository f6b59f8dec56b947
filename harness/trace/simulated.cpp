#include "harness/trace/simulated.hpp"

#include "harness/core/setup.hpp"
#include "harness/trace/trace.hpp"

#include <fmt/format.h>

namespace harness::trace {

void refuse_simulated(const Trace& trace, std::string_view command) {
  if (trace.simulated)
    throw BadInput(
        fmt::format("{}: a simulated trace, a prediction and not a recording; {} takes recorded ones",
                    trace.file, command));
}

}  // namespace harness::trace
