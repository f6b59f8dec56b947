// The processes of a job, beside those that measure: rank 0's opens the meeting, each other one starts ranks.
#pragma once

namespace harness::ranks {

/// Of rank 0's process, for its program, whose process id is `program`: says one line, {"meeting": TEXT} with
/// a run::MeetingPlace or {"error": SENTENCE}; then reads the exit code of the run, tells it to the others,
/// and says an empty line. `row_seconds` is what a row may take. Gives the exit code.
int open_meeting(double row_seconds, int program);

/// Of every other process: starts a fresh rank whenever a team begins, until rank
/// 0's run is over. Says nothing but what keeps it from taking part. Gives the exit code of rank 0's run.
int join_meeting(double row_seconds);

}  // namespace harness::ranks
