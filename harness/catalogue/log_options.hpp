// Options that say where a training is logged. They change nothing that is timed, so two runs may differ in
// them.
#pragma once

#include <string_view>

namespace harness::catalogue {

inline constexpr std::string_view log_options[] = {"log", "log-every"};

}  // namespace harness::catalogue
