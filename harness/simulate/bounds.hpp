// How far off a simulated time may be: an interval from the model's own errors, and when a device does two
// things at once.
#pragma once

#include "harness/core/interval.hpp"
#include "harness/simulate/cost.hpp"
#include "harness/simulate/gpu.hpp"
#include "harness/simulate/recording.hpp"
#include "harness/simulate/simulated_timeline.hpp"

namespace harness::simulate {

/// What runs side by side: copies into the device and out of it, or copies and kernels.
enum class Overlap { both_ways, beside_kernels };
inline constexpr std::array overlaps{Overlap::both_ways, Overlap::beside_kernels};

/// How long both ran.
Nanoseconds overlapped(const Timeline& line, Overlap overlap);

// How far off the model was: what the published figures that may be looked at say.

/// From the lowest of so many figures' errors to the highest.
struct ErrorRange {
  double lowest = 0;
  double highest = 0;
  int figures = 0;

  void take(double error);
};

struct ModelErrors {
  std::map<Kind, ErrorRange> kinds;        // simulated over published time
  std::map<Overlap, ErrorRange> overlaps;  // published minus simulated time, for each second that overlaps
};

/// n figures hold the next one between their ends with a share of (n - 1) / (n + 1).
ModelErrors known_errors();

/// Of what `seconds_of` finds in the form's time line: the times of one kind after the other are shifted to
/// both ends of its range, then the time that overlaps, and what that does is added up like independent
/// errors.
Interval form_interval(const FormRecord& form, const Gpu& gpu, const ModelErrors& errors,
                       const std::function<double(const Timeline&)>& seconds_of);

/// Of the seconds of each form, and of the last form's time over the first one's.
struct RowIntervals {
  std::vector<Interval> forms;
  Interval ratio;
};

/// In the ratio, calls that both forms make share one error of their kind; those that only one form makes
/// have an error of their own.
RowIntervals row_intervals(const RowRecord& row, const Gpu& gpu, const ModelErrors& errors);

}  // namespace harness::simulate
