// What is said of a recording before its report.
#pragma once

#include "harness/trace/diagnosis.hpp"
#include "harness/watch/notes.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace harness::watch {

/// The trace of ours in that file; nullptr where there is none.
const KeptTrace* kept_trace(const Notes& notes, const std::filesystem::path& file);

/// Lines about other traces, a program that ended early, and one without a GPU that cannot be judged.
std::string remarks(const Notes& notes, const std::vector<std::filesystem::path>& diagnosed,
                    const trace::Diagnosis& diagnosis);

}  // namespace harness::watch
