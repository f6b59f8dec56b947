// `tuneproof list`: what steps there are.
#pragma once

#include "harness/catalogue/program.hpp"
#include "harness/support/terminal.hpp"

#include <string>
#include <vector>

namespace harness::run {

/// Declares the subcommand.
void add_list(CLI::App& app, const catalogue::Program& program, catalogue::Action& chosen);

struct ListText {
  bool long_form = false;  // with devices, whole claims and sources
  bool lessons = true;     // says how to read them
};

/// Each step on a line: id, rows of the quick suite and of the full one, the beginning of its claim.
std::string list_text(const std::vector<const catalogue::Step*>& steps, const Style& style,
                      const ListText& how = {});

/// The same as a Markdown table: step, claim, what the source expects, needs.
std::string list_markdown(const std::vector<const catalogue::Step*>& steps);

}  // namespace harness::run
