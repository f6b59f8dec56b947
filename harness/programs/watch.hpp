// `tuneproof watch`: a training of the user's, unchanged, some of its steps recorded and diagnosed.
#pragma once

#include "harness/catalogue/program.hpp"
#include "harness/programs/watch_arguments.hpp"

namespace harness::programs {

/// Takes the words behind `--` off a command line of `watch`, and shortens it to what is before: they are
/// another program's, and not to be understood by ours. Empty for another command.
WatchedCommand take_command(int& argc, char** argv);

/// Declares the subcommand.
void add_watch(CLI::App& app, const catalogue::Program& program, const WatchedCommand& command,
               catalogue::Action& chosen);

}  // namespace harness::programs
