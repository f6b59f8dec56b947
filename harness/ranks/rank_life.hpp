// The life of a process that is a rank other than 0, whatever it is asked for.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/loader/channel.hpp"
#include "harness/ranks/message.hpp"
#include "harness/support/fd.hpp"

#include <functional>
#include <string_view>

namespace harness::ranks {

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
  const Fd socket(loader::socket_number);
  const auto joined = [&] {
    join();
    return Reply{.end = End::done};
  };
  if (!answer_with(socket, device, joined)) return;
  for (Message message; loader::receive_message(socket, message);)
    if (!answer_with(socket, device, [&] { return carry_out(message); })) return;
}

}  // namespace harness::ranks
