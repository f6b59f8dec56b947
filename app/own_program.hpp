// The commands of a program of the user's own steps.
#pragma once

#include "harness/core/step.hpp"
#include "harness/worker/surroundings.hpp"

namespace app {

/// What is known of the program beside its steps.
struct OwnProgram {
  std::filesystem::path worker = {};  // what measures: it takes a worker's arguments; empty: this program
  std::string_view build_type = "Release";  // as build_type_here of tuneproof.hpp says
};

/// What `program` of tuneproof.hpp does, on the ground that its rows need.
int program_on(const harness::worker::Ground& ground, int argc, char** argv, harness::Steps steps,
               const OwnProgram& own);

}  // namespace app
