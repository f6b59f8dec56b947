// Undecided rows that a gate does not pass: they look slower, and chance alone would hardly show equal ones
// so.
#pragma once

#include "harness/compare/ci.hpp"
#include "harness/results/results.hpp"

namespace harness::compare {

/// In so large a share of the sessions that leave rows undecided an equal one looks slower.
constexpr double leaning_error = 0.02;

/// Those of the rows that are undecided: they share that error.
std::size_t undecided_rows(std::span<const results::Row> rows);

/// True if the row is one of `undecided`, the middle of its rounds lies beyond its margin, and so many of
/// them are slower that equal commands or builds hardly give them.
bool leans_slower(const results::Row& row, std::size_t undecided);

/// The same of two series of ln(time), each taken in a session of its own.
bool leans_slower(std::span<const double> base, std::span<const double> current, double margin,
                  std::size_t undecided);

/// What a row of `tuneproof versus` means to CI, in its own report and in one that is made from its file.
Fate fate_of_command(const results::Row& row, const results::Results& session);

}  // namespace harness::compare
