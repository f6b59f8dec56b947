// What is known of a row that its time does not tell: exact counts and CPU time (docs/measuring.md 6).
#pragma once

#include "harness/core/counts.hpp"
#include "harness/results/row.hpp"

namespace harness::run {

/// True if the row's time does not tell its forms apart, and its counts or its CPU time do.
bool told_otherwise(const results::Row& row);

/// What decided the row: "time", "counts" or "CPU time", in lessons on memory, scatter or timers "memory" and
/// the like; empty where nothing did.
std::string_view decided_by(const results::Row& row);

/// "time: cannot tell; 98 operators fewer": where told_otherwise, and of a row whose time on a device is the
/// host's, where its forms differ by little in each kind of count. Else empty.
std::string evidence_sentence(const results::Row& row);

/// "312 operators and 41 % of the instructions fewer; CPU time -12.3 % [-13.0, -11.5]". Empty where nothing
/// differs and no CPU time is known.
std::string evidence_text(const results::Row& row);

/// Why takes that instructions_of refuses say nothing, with all of them. A benchmark of one form has only the
/// second ones.
std::string why_not_counted(const TwoTakes& naive, const TwoTakes& optimized, bool one_form = false);

}  // namespace harness::run
