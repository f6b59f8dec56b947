// The commands of a program of the user's own steps.
#pragma once

#include "harness/core/step.hpp"
#include "harness/worker/surroundings.hpp"

#include <filesystem>

namespace harness::own {

/// What `program` of tuneproof.hpp does, on the ground that its rows need. `worker` is what measures: a
/// program that takes a worker's arguments; empty: this one.
int program_on(const worker::Ground& ground, int argc, char** argv, Steps steps,
               const std::filesystem::path& worker = {});

}  // namespace harness::own
