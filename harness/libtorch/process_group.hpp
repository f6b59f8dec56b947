// Process groups: Gloo on the host, over the loopback unless a job says otherwise; NCCL on CUDA devices.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/libtorch/rank.hpp"
#include "harness/libtorch/store.hpp"
#include "harness/run/job_place.hpp"

namespace harness::inline libtorch {

/// Who meets whom, and where.
struct Meeting {
  std::string file = {};              // empty at first, the same for all: it carries the ranks' addresses
  Store store = {};                   // carries them instead where the ranks have no file in common
  std::string address = "127.0.0.1";  // of this machine: Gloo's sockets listen there
  int number = 0;
  int size = 1;
  Device device = {};                          // of this rank
  std::chrono::milliseconds patience{60'000};  // of a collective, and of the meeting
  /// Asked again and again while the others are waited for: true where one of them has spoken or is gone.
  /// Empty: nobody looks.
  std::function<bool()> watch = {};
};

/// Ranks that a job's processes have started meet in the part `team` of its store. Throws std::runtime_error
/// where the store is gone.
void meet_at(Meeting& meeting, const run::MeetingPlace& place, const std::string& team);

/// Joins the ranks; returns when all are there. Throws Skip where their devices cannot be joined, and what
/// LibTorch throws where one rank does not come in time.
Group join(const Meeting& meeting);

}  // namespace harness::inline libtorch
