// What `tuneproof prices` hands on to Google Benchmark.
#pragma once

#include <functional>
#include <string>

namespace prices {

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
