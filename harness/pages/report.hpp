// `tuneproof report`: results files, prices and traces, read and compared first, then written as one HTML
// page that needs no network, or as Markdown; with --open the desktop shows the page in whatever it has for
// it.
#pragma once

#include "harness/catalogue/program.hpp"
#include "harness/compare/comparison.hpp"
#include "harness/support/field.hpp"

namespace harness::pages {

struct Report {
  std::vector<results::Results> runs = {};
  std::vector<std::vector<std::string>> machines = {};  // what prices say of the machine of each run
  std::optional<results::Results> base = {};            // of `comparison`
  std::optional<compare::Comparison> comparison = {};
  std::vector<Json> prices = {};
  std::vector<std::string> price_files = {};  // where these are
  std::vector<Json> self_tests = {};
  std::vector<Json> traces = {};  // diagnoses
  Json history = nullptr;
  std::vector<Json> simulations = {};  // of `simulate --json`: predictions
  Json steps = Json::object();         // by id: claim, source, lesson
  std::string program = {};            // version and commit of what wrote the report
};

/// All of it as the page's data.
Json report_data(const Report& report);

/// The page without its data, which stand between the two: harness/pages/assets and the chart library,
/// embedded when the program was built (cmake/embed_page.cmake).
struct PageTemplate {
  std::string_view before;
  std::string_view behind;
};
PageTemplate page_template();

/// The whole page. Text that came from files is data within it, never markup or script.
std::string page_html(const Json& data);

/// JSON that may stand in a <script> element: without "<", so that nothing in it ends the element.
std::string script_json(const Json& data);

/// What the page shows of a file of prices, which the harness does not know: `prices/` does.
struct PricePage {
  std::function<bool(const Json&)> is_one;
  std::function<Json(const Field&)> data;
};

/// Declares the subcommand.
void add_report(CLI::App& app, const catalogue::Program& program, PricePage prices,
                catalogue::Action& chosen);

}  // namespace harness::pages
