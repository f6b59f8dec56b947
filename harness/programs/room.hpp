// Whether a budget has room for the rounds that a verdict needs, and a run for steps, said once the commands
// have run.
#pragma once

#include "harness/programs/plan.hpp"

namespace harness::programs {

/// What is known after the warm-up, in seconds.
struct Room {
  double round = 0;  // of all commands
  double left = 0;   // of the budget
  double spent = 0;  // of it
  int needed = 0;    // rounds that a plain difference takes at most
  int open = 0;      // rounds before which nothing is that is equal, or nearly so, and scatters
  double run = 0;    // of the first command
  double steps = 0;  // of these, in the steps of a training
  double step = 0;   // one of them
};

/// How many rounds there is room for and what would help; empty where a plain difference has enough.
std::string room_text(const Room& room, const Plan& plan);

/// The same of rounds that are enough for a plain difference, and for no other; empty where no metric that
/// scatters needs more.
std::string open_text(const Room& room, const Plan& plan);

/// Of a training whose start takes most of a run: how many steps would take half of it. Empty where they take
/// enough.
std::string start_text(const Room& room, const Plan& plan);

}  // namespace harness::programs
