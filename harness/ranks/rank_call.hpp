// What a rank reads from its command line, and a process of the job from rank 0.
#pragma once

#include "harness/ranks/whereabouts.hpp"
#include "harness/run/task.hpp"

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace harness::ranks {

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

}  // namespace harness::ranks
