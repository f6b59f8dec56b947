// `tuneproof prices`: what things cost on this machine, and what it hands on to Google Benchmark. The
// worker measures; this is the light side, which also knows the prices that bear on each step: `explain`
// shows them beside a lesson.
#pragma once

#include "harness/catalogue/program.hpp"
#include "harness/core/published.hpp"
#include "harness/machine/build_info.hpp"

namespace prices {

/// Declares the subcommand.
void add_prices(CLI::App& app, const harness::catalogue::Program& program, const harness::BuildInfo& build,
                harness::catalogue::Action& chosen);

/// By names alone: the list knows no step. A test holds the names against the steps and the list.
std::span<const harness::StepPrices> step_prices();

/// The rows that --quick takes.
inline constexpr std::string_view quick_filter =
    "--benchmark_filter=^prices/(copy/|triad/|product/|memcpy/|launch/|graph/|dispatch/)";

/// The flags as lines of help.
std::string flags_help();

/// Throws BadInput, naming near misses, for a word that is no flag of Google Benchmark's form, and for a
/// value that a flag does not take. Google Benchmark would print its usage and report success, die of a count
/// below 0, and take nearly anything for a number of seconds or for true.
void check_word(const std::string& word);

/// The value of a variable, or null; std::getenv is one.
using Environment = std::function<const char*(const char*)>;

/// The same for the variables from which Google Benchmark takes what no flag says: BENCHMARK_REPETITIONS for
/// --benchmark_repetitions, and so on.
void check_environment(const Environment& environment);

/// Throws BadInput where CUDA_LAUNCH_BLOCKING is set: each launch then waits for its kernel, so that nothing
/// can be queued and a launch has no price of its own.
void refuse_blocking_launches(const Environment& environment);

/// "prices has no option '--benchmark_fliter=x'; did you mean '--benchmark_filter'?"
std::string unknown_word(const std::string& word);

}  // namespace prices
