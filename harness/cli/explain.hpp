// `tuneproof explain STEP`: the lesson of one step, with the code of both forms as it was compiled.
#pragma once

#include "harness/cli/program.hpp"
#include "harness/report/table.hpp"

#include <span>
#include <string>

namespace harness {

/// Declares the subcommand.
void add_explain(CLI::App& app, const Program& program, Action& chosen);

/// The page. `sources` are those that were embedded for the step: its own file, then, for a rung of a
/// workload, the files that ask for its switch. May be empty.
std::string explain_text(const CatalogueStep& step, std::span<const StepSource> sources, const Style& style);

/// The step of that id, or the one that has a row of that name; throws BadInput naming near misses.
const CatalogueStep& find_step(const Catalogue& catalogue, const std::string& name);

}  // namespace harness
