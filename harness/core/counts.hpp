// What a form does, counted: calls, bytes, page faults, instructions. Other work on the machine changes
// times, not counts, so that they still tell two forms apart where times cannot (docs/measuring.md 6).
#pragma once

#include "harness/core/measurement.hpp"

namespace harness::inline core {

constexpr std::string_view instructions_unit = "instructions";
constexpr std::string_view faults_unit = "faults";

/// How far instructions must lie apart, as a share: a library's path depends a little on where its data lie.
constexpr double instructions_apart = 0.01;

/// Two takes of the instructions of one form.
struct TwoTakes {
  double one = 0;
  double other = 0;
};

/// Instructions of the naive and of the optimized form, the smaller take of each: what came on top is a
/// library's, which does some things only now and then. Nothing where two takes of a form lie apart by more
/// than 0.1 % and by more than a twentieth of what lies between the forms: takes of equal forms that chance
/// alone orders come so far apart once in 700 times.
std::optional<Figure> instructions_of(const TwoTakes& naive, const TwoTakes& optimized);

/// True if the figure counts: its unit is calls, B, faults or instructions, and both values are whole.
bool is_count(const Figure& figure);

/// True if `after` is more than `before` for certain: any more, and of instructions more than
/// `instructions_apart`.
bool counts_more(std::string_view unit, double before, double after);

/// The counts in which the forms differ for certain, in order.
std::vector<Figure> differing_counts(std::span<const Figure> figures);

/// The optimized form's work against the naive one's, by all counts in which they differ.
enum class CountedWork { same, less, more, mixed };
CountedWork counted_work(std::span<const Figure> figures);
/// As stored: "same", "less", "more", "mixed".
std::string_view to_string(CountedWork work);

/// By how much the forms' calls and bytes differ at most, as a share of the naive form's: all calls in which
/// they differ, of its most frequent kind, or the bytes of one kind. Nothing where no calls were counted, or
/// where the naive form has no bytes of a kind.
std::optional<double> counted_share(std::span<const Figure> figures);

/// Page faults of a run of each form, where all slots of the form but the first of a round have met as many:
/// then they belong to the form and not to the machine's other work. Nothing where slots differ, were not
/// watched, or have no whole number a run.
std::optional<Figure> page_faults(const Measurement& measured);

}  // namespace harness::inline core
