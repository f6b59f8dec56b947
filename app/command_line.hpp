// What a command line does around its commands, and the commands that need no step of ours.
#pragma once

#include "harness/catalogue/program.hpp"
#include "harness/machine/build_info.hpp"
#include "harness/pages/report.hpp"
#include "harness/programs/watch_arguments.hpp"

namespace app {

/// What the commands below are made from; it outlives them.
struct Parts {
  const harness::catalogue::Program& program;
  const harness::programs::WatchedCommand& watched;
  harness::pages::PricePage prices;
};

/// Without commands yet.
std::unique_ptr<CLI::App> command_line(std::string about, std::string examples);

/// Adds diagnose, watch, versus, tune, compare, history, merge, export and report.
void add_commands(CLI::App& app, const Parts& parts, harness::catalogue::Action& chosen);

/// Parses, and runs what was chosen; returns the exit code.
int run_chosen(CLI::App& app, int argc, char** argv, const harness::catalogue::Action& chosen);

/// A main(): runs `body` with standard streams that are open, and words what it throws.
int main_of(int argc, char** argv, int (*body)(int argc, char** argv));

}  // namespace app
