#pragma once

#include "harness/support/spawn.hpp"

#include <string_view>

namespace harness::inline support {

/// A script of ours in a Python of the user's: it finds the packages of that Python and of PYTHONPATH, but no
/// module that lies in the current folder, where any `json.py` would otherwise be run.
Command python_script(const std::filesystem::path& python, std::string_view script,
                      std::vector<std::string> arguments = {});

}  // namespace harness::inline support
