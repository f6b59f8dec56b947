// What to run next.
#pragma once

#include "harness/trace/diagnosis.hpp"

namespace harness::programs {

/// A word as a shell takes it: in quotes where it must be.
std::string quoted(const std::string& word);

/// Commands that go on from here, each with what it answers; the last one proves a change.
std::string next_commands(std::span<const trace::Diagnosis> diagnoses,
                          const std::vector<std::string>& command);

}  // namespace harness::programs
