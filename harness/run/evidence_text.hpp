// What is known of a row that its time does not tell: exact counts and CPU time (docs/measuring.md 6).
#pragma once

#include "harness/core/counts.hpp"
#include "harness/results/row.hpp"

#include <string>
#include <string_view>

namespace harness::run {

/// True if the row's time does not tell its forms apart, and its counts or its CPU time do.
bool told_otherwise(const results::Row& row);

/// The verdict in words: as verdict_text, but "does less", "does more" (by counts), "less CPU", "more CPU" or
/// "equal CPU" where told_otherwise.
std::string_view told_text(const results::Row& row);

/// The most telling of it in at most 22 columns: "-41 % instructions", "-312 operators". Beside "cannot tell"
/// of a row whose time on a device is the host's: "counted: at most 0.1 %", where its forms differ by so
/// little in each kind of count. Else empty.
std::string evidence_cell(const results::Row& row);

/// "312 operators and 41 % of the instructions fewer; CPU time -12.3 % [-13.0, -11.5]". Empty where nothing
/// differs and no CPU time is known.
std::string evidence_text(const results::Row& row);

/// Why takes that instructions_of refuses say nothing, with all of them.
std::string why_not_counted(const TwoTakes& naive, const TwoTakes& optimized);

}  // namespace harness::run
