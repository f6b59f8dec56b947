// `tuneproof list`: what steps there are.
#pragma once

#include "harness/catalogue/program.hpp"
#include "harness/support/terminal.hpp"

#include <string>
#include <vector>

namespace harness::run {

/// Declares the subcommand.
void add_list(CLI::App& app, const catalogue::Program& program, catalogue::Action& chosen);

/// Each step: id, on which devices it runs, rows of the quick suite and of the full one; below it its claim
/// and its source.
std::string list_text(const std::vector<const catalogue::Step*>& steps, const Style& style,
                      bool lessons = true);

/// The same as a Markdown table: step, claim, what the source expects, needs.
std::string list_markdown(const std::vector<const catalogue::Step*>& steps);

}  // namespace harness::run
