// The life of a rank other than 0, and of a job's processes beside those that measure: rank 0's opens the
// meeting, each other one starts ranks.
#pragma once

#include "harness/core/step.hpp"

namespace harness::inline libtorch {

/// True for a command line that a Team has made: `--rank ...`.
bool is_rank_call(int argc, char** argv);

/// The whole life of a rank: does what rank 0 asks for, until that one lets go of it or dies, or a request
/// fails. The executable's main() must give way to it before it does anything else; gives the exit code.
int rank_main(int argc, char** argv, Steps steps);

/// Of rank 0's process, for its program, whose process id is `program`: says one line, {"meeting": TEXT} with
/// a run::MeetingPlace or {"error": SENTENCE}; then reads the exit code of the run, tells it to the others,
/// and says an empty line. `row_seconds` is what a row may take. Gives the exit code.
int open_meeting(double row_seconds, int program);

/// Of every other process: starts a fresh rank whenever a team begins, until rank
/// 0's run is over. Says nothing but what keeps it from taking part. Gives the exit code of rank 0's run.
int join_meeting(double row_seconds);

}  // namespace harness::inline libtorch
