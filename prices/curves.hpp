// A file of `tuneproof prices` for the page of `tuneproof report`: curves over size with their lines, and
// what follows from them.
#pragma once

#include "harness/support/field.hpp"

#include "prices/balance.hpp"

namespace prices {

/// True for what Google Benchmark wrote of rows of ours.
bool is_price_file(const harness::Json& root);

/// {"context", "busy", "prices": [{name, seconds, bytes_per_second}], "curves": [{rows, points, line,
/// batching_up_to}], "balance": [{about, said, from}], "health": [a sentence without its full stop]}. A
/// curve's `line` is t = start + per_byte n, null where none holds. `busy` says that other work spoiled the
/// prices; empty where none did. `health`: how good the machine is.
harness::Json curves_data(const harness::Field& root);

/// What a price file says of how good its machine is, a sentence each; of a busy machine that alone. Empty
/// where the prices are of another machine or software than `place`, the fingerprint of one.
std::vector<std::string> machine_lines(const std::filesystem::path& file, std::string_view place);

}  // namespace prices
