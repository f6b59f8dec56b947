// The life of a process that is a rank other than 0, whatever it is asked for, and the call that it reads
// from its command line.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/libtorch/message.hpp"
#include "harness/libtorch/place.hpp"
#include "harness/run/task.hpp"
#include "harness/support/channel.hpp"
#include "harness/support/fd.hpp"

namespace harness::inline libtorch {

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
