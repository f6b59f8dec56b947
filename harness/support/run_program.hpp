#pragma once

#include "harness/support/child.hpp"

namespace harness::inline support {

/// Where a program of that name lies on PATH; empty where it does not.
std::filesystem::path find_program(const std::string& name);

/// How a program ended, and all it wrote to its standard output.
struct Finished {
  Exit exit;
  std::string output;
};

/// Runs it to its end. Unlike a Child it belongs to our own group: what ends the group ends it, and all it
/// has started. Its errors are not shown. `input`, at most 64 KiB, is its standard input. Throws BadInput
/// where it cannot be started, or has not ended within `most`; a program without a slash is looked for on
/// PATH.
Finished run_program(const Command& command, std::string_view input,
                     std::chrono::milliseconds most = std::chrono::minutes(1));

}  // namespace harness::inline support
