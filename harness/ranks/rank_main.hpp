// The life of a rank other than 0.
#pragma once

#include "harness/core/step.hpp"
#include "harness/run/job.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace harness::ranks {

/// What a rank reads from its command line.
struct RankCall {
  int number = 1;
  int size = 2;
  std::chrono::milliseconds patience{0};
  run::Job job;  // its row, and what the row's Setup says
};

/// `--rank NUMBER SIZE PATIENCE PARENT JOB`, of a rank whose parent is this process.
std::vector<std::string> arguments_of(const RankCall& call);

/// True for a command line that a Team has made: `--rank ...`.
bool is_rank_call(int argc, char** argv);

/// The whole life of a rank: does what rank 0 asks for, until that one lets go of it or dies, or a request
/// fails. The executable's main() must give way to it before it does anything else; gives the exit code.
int rank_main(int argc, char** argv, Steps steps);

}  // namespace harness::ranks
