// What a form does, counted: calls, bytes, page faults, instructions. Other work on the machine changes
// times, not counts, so that they still tell two forms apart where times cannot (docs/measuring.md 6).
#pragma once

#include "harness/core/measurement.hpp"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace harness::inline core {

constexpr std::string_view instructions_unit = "instructions";
constexpr std::string_view faults_unit = "faults";

/// How far instructions must lie apart, as a share: a library's path depends a little on where its data lie.
constexpr double instructions_apart = 0.01;

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

/// Page faults of a run of each form, where all slots of the form but the first of a round have met as many:
/// then they belong to the form and not to the machine's other work. Nothing where slots differ, were not
/// watched, or have no whole number a run.
std::optional<Figure> page_faults(const Measurement& measured);

}  // namespace harness::inline core
