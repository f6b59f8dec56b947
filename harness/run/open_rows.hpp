// Which rows are open, and which of these take the next round: all, or, where rounds are allotted, those that
// they help. Where there are none the session is over (docs/measuring.md 4 and 5). What to do about rows that
// cannot tell.
#pragma once

#include "harness/results/results.hpp"

namespace harness::run {

/// Places of rows in the results, in order.
using Indices = std::vector<std::size_t>;

/// True if more rounds of the row may be taken: it is no error and was not decided at a look.
bool is_open(const results::Row& row, const results::Session& session);

/// All open rows.
Indices open_rows(const results::Results& results);

/// Those that take the round after the fewest that one of them has. `left`: seconds of the budget; nothing:
/// there is none. A `patient` session takes hopeless rows too; without a budget it takes all rows up to the
/// first allotted look. Empty: the session is over.
Indices next_rows(const results::Results& results, std::optional<double> left, bool patient = false);

/// Why an open row of a session that allots its rounds has no more of them.
std::string why_no_more(const results::Row& row, const results::Session& session);

/// The share of the CPUs that other programs took over all rounds, or in the rehearsal where there is no
/// round; nothing where it is not known.
std::optional<double> other_work(const results::Results& results);

/// "Other programs took 5 % of the CPUs, and 31 % in the worst round." Without a round "... during the
/// rehearsal, and no round was finished." Empty where it is not known.
std::string disturbance_text(const results::Results& results);

/// "Other programs took 31 % of the CPUs: wait until they have ended, or run again with --budget 6m."
/// Empty where no row is undecided or, from the first look on, where rounds were not allotted. Before it the
/// advice says how long first verdicts take here.
std::string advice(const results::Results& results);

}  // namespace harness::run
