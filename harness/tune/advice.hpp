// Settings in the words of the user's own code.
#pragma once

#include "harness/tune/plan.hpp"

#include <string>
#include <vector>

namespace harness::tune {

/// For each knob that differs from the standard settings one line: "workers 4: DataLoader(num_workers=4)".
std::vector<std::string> in_own_code(const Plan& plan, const Settings& settings);

/// The file that `run --config` takes.
Json settings_file(const Plan& plan, const Settings& settings);

}  // namespace harness::tune
