// `tuneproof report`: results files, prices and traces as one HTML page, or as Markdown; with --open the
// desktop shows the page in whatever it has for it.
#pragma once

#include "harness/catalogue/program.hpp"
#include "harness/support/field.hpp"

namespace harness::pages {

/// Starts `xdg-open` on its own and does not wait for what that shows. Throws BadInput where there is none:
/// the file itself is then written all the same, and the sentence says so.
void open_file(const std::filesystem::path& file);

/// What the page shows of a file of prices, which the harness does not know: `prices/` does.
struct PricePage {
  std::function<bool(const Json&)> is_one;
  std::function<Json(const Field&)> data;
};

/// Declares the subcommand.
void add_report(CLI::App& app, const catalogue::Program& program, PricePage prices,
                catalogue::Action& chosen);

}  // namespace harness::pages
