// What `tuneproof prices` hands on to Google Benchmark.
#pragma once

#include <string>

namespace prices {

/// The flags as lines of help.
std::string flags_help();

/// Throws BadInput, naming near misses, for a word that is no flag of Google Benchmark's form, and for a
/// value that is none of a flag's list: Google Benchmark would print its usage and report success.
void check_word(const std::string& word);

/// "prices has no option '--benchmark_fliter=x'; did you mean '--benchmark_filter'?"
std::string unknown_word(const std::string& word);

}  // namespace prices
