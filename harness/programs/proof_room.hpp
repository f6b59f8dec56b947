// Whether the budget of `tuneproof tune` has room for the proof of what its search has found, and how else it
// is proven.
#pragma once

#include "harness/programs/plan.hpp"
#include "harness/programs/versus_arguments.hpp"

namespace harness::programs {

/// What is known of a proof before it begins, in seconds.
struct Proof {
  double setup = 0;  // --setup
  double first = 0;  // a run of the command as it stands; 0: not known
  int warmup = 0;    // runs

  /// The rounds that a plain difference takes, of others whose runs take so long.
  double seconds(std::span<const double> others) const;
};

/// The same with a reserve: rounds differ, and the search has to end before them.
double with_reserve(double seconds);

/// `tuneproof versus` of these commands, as a shell takes it. Empty where the metric is divided by a knob,
/// which tune alone does.
std::string versus_command(const CommonArguments& arguments, std::span<const Candidate> candidates);

/// What is said in place of a proof that would have `left` of the budget, and had to have `needed`.
std::string no_room_text(double needed, double left, double spent, const std::string& command);

}  // namespace harness::programs
