// `tuneproof list`: what steps there are.
#pragma once

#include "harness/cli/program.hpp"
#include "harness/report/table.hpp"

#include <string>
#include <vector>

namespace harness {

/// Declares the subcommand.
void add_list(CLI::App& app, const Program& program, Action& chosen);

/// Each step: id, needs, rows of the quick suite and of the full one; below it its claim and its source.
std::string list_text(const std::vector<const CatalogueStep*>& steps, const Style& style);

/// The same as a Markdown table: step, claim, what the source expects, needs.
std::string list_markdown(const std::vector<const CatalogueStep*>& steps);

}  // namespace harness
