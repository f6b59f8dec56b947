// The life of a process that is a rank other than 0, and of a job's processes beside those that measure: rank
// 0's opens the meeting, each other one starts ranks. The call that a rank reads from its command line.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/core/step.hpp"
#include "harness/libtorch/message.hpp"
#include "harness/libtorch/place.hpp"
#include "harness/run/task.hpp"
#include "harness/support/channel.hpp"
#include "harness/support/fd.hpp"

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

struct RankCall {
  int number = 1;
  int size = 2;
  Share share;  // of the processors that its process may use
  std::chrono::milliseconds patience{0};
  run::Task task = {};       // its row, and what the row's Setup says
  std::string meeting = {};  // a run::MeetingPlace as JSON; empty: the ranks meet in the file
  std::string team = {};     // then this team's part of the store
};

std::string call_to_json(const RankCall& call);
/// Throws BadInput where it is malformed.
RankCall call_from_json(std::string_view text);

/// `--rank PARENT CALL`, of a rank whose parent is this process.
std::vector<std::string> arguments_of(const RankCall& call);

/// Ends the process behind `life`, or with its parent, even in the middle of a collective. The exit code is 1
/// where `life` throws.
[[noreturn]] void live_as_rank(const std::function<void()>& life);

/// False where the process of that id is no longer our parent: it has died before we could die with it.
bool is_child_of(std::string_view process);

/// Tells rank 0 what came of `work`. False where the rank has to leave: others wait in a call that it will
/// never make, and only a closed connection tells them.
bool answer_with(const Fd& socket, const Device& device, const std::function<Reply()>& work);

/// Joins the others and then carries out each message of rank 0, until that one lets go of the socket or
/// something fails.
template <class Message, class Join, class CarryOut>
void serve_rank_0(const Device& device, const Join& join, const CarryOut& carry_out) {
  const Fd socket(socket_number);
  const auto joined = [&] {
    join();
    return Reply{.end = End::done};
  };
  if (!answer_with(socket, device, joined)) return;
  for (Message message; receive_message(socket, message);)
    if (!answer_with(socket, device, [&] { return carry_out(message); })) return;
}

}  // namespace harness::inline libtorch
