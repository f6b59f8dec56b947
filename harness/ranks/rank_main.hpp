// The life of a rank other than 0.
#pragma once

#include "harness/core/step.hpp"

namespace harness::ranks {

/// True for a command line that a Team has made: `--rank ...`.
bool is_rank_call(int argc, char** argv);

/// The whole life of a rank: does what rank 0 asks for, until that one lets go of it or dies, or a request
/// fails. The executable's main() must give way to it before it does anything else; gives the exit code.
int rank_main(int argc, char** argv, Steps steps);

}  // namespace harness::ranks
