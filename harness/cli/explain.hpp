// `tuneproof explain STEP`: the lesson of one step, with the code of both forms as it was compiled.
#pragma once

#include "harness/cli/program.hpp"
#include "harness/report/table.hpp"

#include <string>
#include <string_view>

namespace harness {

/// Declares the subcommand.
void add_explain(CLI::App& app, const Program& program, Action& chosen);

/// The page. `source` is the text of the step's file, empty where none was embedded.
std::string explain_text(const CatalogueStep& step, std::string_view source, const Style& style);

/// The step of that id, or the one that has a row of that name; throws BadInput naming near misses.
const CatalogueStep& find_step(const Catalogue& catalogue, const std::string& name);

}  // namespace harness
