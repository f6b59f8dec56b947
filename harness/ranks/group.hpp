// Process groups: Gloo on the host, over the loopback only; NCCL on CUDA devices.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/ranks/rank.hpp"

#include <chrono>
#include <functional>
#include <string>

namespace harness::ranks {

/// Who meets whom, and where.
struct Meeting {
  std::string file;  // empty at first, the same for all: it carries the ranks' addresses
  int number = 0;
  int size = 1;
  Device device = {};                          // of this rank
  std::chrono::milliseconds patience{60'000};  // of a collective, and of the meeting
  /// Called again and again while the others are waited for; throws where they will not come. Empty: nobody
  /// looks.
  std::function<void()> watch = {};
};

/// Joins the ranks; returns when all are there. Throws Skip where their devices cannot be joined, and what
/// LibTorch throws where one rank does not come in time.
Group join(const Meeting& meeting);

}  // namespace harness::ranks
