// Names what a file is when it is not a trace of PyTorch's profiler, for the sentence that refuses it. Knows
// what `tuneproof simulate --trace` wrote: predictions, which nobody may take for recordings.
#pragma once

#include "harness/trace/trace.hpp"

#include <span>

namespace harness::trace {

/// "a zip archive: unpack it first"; empty where neither its bytes nor its name tell.
std::string_view foreign_file(std::string_view bytes, std::string_view name);

/// What a JSON document without "traceEvents" is, by a member of its outermost object: "a profile of
/// speedscope"; empty where that tells nothing.
std::string_view foreign_document(std::string_view member, std::string_view value);

/// Throws BadInput where no event is PyTorch's, saying whose they are. `category` is the first event's,
/// `processes` are the names of those that the trace names.
void require_own(const Trace& trace, std::string_view category, std::span<const std::string> processes);

struct Trace;

/// What stands above every table and in every file that no GPU took part in.
constexpr std::string_view simulated_warning =
    "SIMULATED: no GPU took part. Predictions from data sheets, never measurements.";

/// Throws BadInput, naming the file, where the trace is simulated: `command` works on what was recorded.
void refuse_simulated(const Trace& trace, std::string_view command);

}  // namespace harness::trace
