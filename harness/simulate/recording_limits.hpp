// What a recording may hold: no more than the simulation can count, and nothing that a terminal would obey.
#pragma once

#include "harness/simulate/recording.hpp"
#include "harness/support/field.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace harness::simulate {

constexpr double most_of_one_call = 1e18;     // bytes, FLOP or microseconds
constexpr std::int64_t most_calls = 200'000;  // of a form: repeated ones and graphs' nodes count
constexpr int most_library_commands = 100;    // of one call on sparse matrices, which counts as so many

/// Throws BadInput where the object has a member of another name: what is misspelt would be taken for 0.
void only_known(const Field& json, std::span<const std::string_view> names);

/// A number from 0 to `most_of_one_call`.
double amount_from(const Field& field);

/// True without control characters.
bool is_clean(std::string_view text);

/// A text of at most 16 KiB without control characters.
std::string clean_text(const Field& field);

/// Throws BadInput where the nodes of a graph are more than kernels and copies, each behind earlier ones.
void check_nodes(const Entry& entry, const Field& json);

/// Throws BadInput where the row has neither two forms, naive and optimized, nor a reason, or where a form
/// has too many calls.
void check_row(const RowRecord& row, const Field& json);

}  // namespace harness::simulate
