#include "harness/run/list.hpp"

#include "harness/run/list_claims.hpp"
#include "harness/run/select.hpp"
#include "harness/support/terminal.hpp"
#include "harness/support/text.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>

namespace harness::run {
namespace {

std::string_view runs_on_text(Runs runs) {
  switch (runs) {
    case Runs::host:
      return "cpu";
    case Runs::cuda:
      return "cuda";
    case Runs::each:
      return "cpu, cuda";
    case Runs::session:
      break;
  }
  return "cpu or cuda";
}

/// Rows of the quick suite and of the full one. A session runs on one device, so half of its rows are listed.
std::string rows_text(const catalogue::Step& step) {
  const auto quick = std::ranges::count_if(step.rows, &catalogue::Row::quick);
  const auto full = std::ranges::count_if(step.rows, &catalogue::Row::full);
  const auto devices = step.runs == Runs::session ? 2 : 1;
  return fmt::format("{} / {}", quick / devices, full / devices);
}

std::vector<const catalogue::Step*> matching(const catalogue::Catalogue& catalogue,
                                             const std::vector<std::string>& patterns) {
  // Named, so that steps of no suite are there too.
  const std::vector<std::string> all{"*"};
  Selection selection{.patterns = patterns.empty() ? all : patterns, .suite = Suite::full, .has_cuda = true};
  std::vector<const catalogue::Step*> steps;
  for (const auto& row : select_rows(catalogue, selection))
    if (steps.empty() || steps.back()->id != row.step)
      steps.push_back(&*std::ranges::find(catalogue.steps, row.step, &catalogue::Step::id));
  return steps;
}

struct Arguments {
  std::vector<std::string> patterns;
  bool json = false;
  bool markdown = false;
  bool claims = false;
  bool refused = false;
  bool planned = false;
};

/// Nothing that was asked for is left out without a word.
void require_one_listing(const Arguments& arguments) {
  const int listings = arguments.claims + arguments.refused + arguments.planned;
  if (listings > (arguments.patterns.empty() ? 1 : 0))
    throw BadInput("give only one of --claims, --refused and --planned, and no PATTERN with it");
  if (arguments.markdown && listings > 0)
    throw BadInput("--markdown prints the steps only; it cannot print --claims, --refused or --planned");
  if (arguments.markdown && arguments.json) throw BadInput("give either --json or --markdown, not both");
}

enum class Shape { text, json, markdown };

int run_list(const catalogue::Program& program, const std::vector<std::string>& patterns, Shape shape) {
  const auto steps = matching(program.catalogue, patterns);
  if (shape != Shape::json) {
    fmt::print("{}", shape == Shape::text ? list_text(steps, style_of(stdout), !program.sources.empty())
                                          : list_markdown(steps));
    return 0;
  }
  auto all = nlohmann::ordered_json::array();
  for (const auto* step : steps) all.push_back(catalogue::step_json(*step));
  fmt::print("{}\n", nlohmann::ordered_json{{"steps", std::move(all)}}.dump(2));
  return 0;
}

int run_claims(const catalogue::Program& program, std::optional<ClaimFate> only, bool json) {
  const auto lines = claim_lines(program.catalogue, program.other_claims, only);
  if (json)
    fmt::print("{}\n", claims_json(lines).dump(2));
  else
    fmt::print("{}", claims_text(lines, style_of(stdout)));
  return 0;
}

}  // namespace

std::string list_text(const std::vector<const catalogue::Step*>& steps, const Style& style, bool lessons) {
  constexpr int indent = 4;
  const auto line = [&](std::string_view id, std::string_view runs_on, std::string_view rows) {
    const auto padded = fmt::format("{:{}}", id, style.columns - 22);
    return fmt::format("{}  {:11}  {:>7}", inked(padded, Ink::bold, style), runs_on, rows);
  };
  auto out = line("STEP", "RUNS ON", "ROWS") + "\n";
  for (const auto* step : steps) {
    out += line(step->id, runs_on_text(step->runs), rows_text(*step)) + "\n";
    out += indented("", step->claim, indent, style);
    const auto source = indented("", step->source_title + ", " + step->source_where, indent, style);
    out += inked(source.substr(0, source.size() - 1), Ink::dim, style) + "\n";
  }
  const auto legend = fmt::format(
      "{} step{}. ROWS: in the quick suite / in the full suite.{}", steps.size(),
      steps.size() == 1 ? "" : "s",
      lessons
          ? " `tuneproof explain STEP` teaches a step; `tuneproof explain topics` lists what steps have in "
            "common."
          : "");
  out.append("\n").append(indented("", legend, 0, style));
  return out;
}

std::string list_markdown(const std::vector<const catalogue::Step*>& steps) {
  std::string out = "| step | claim | expected | runs on |\n|---|---|---|---|\n";
  for (const auto* step : steps)
    out += fmt::format("| {} | {} | {} | {} |\n", step->id, step->claim, catalogue::expected_text(*step),
                       runs_on_text(step->runs));
  return out;
}

void add_list(CLI::App& app, const catalogue::Program& program, catalogue::Action& chosen) {
  const auto arguments = std::make_shared<Arguments>();
  auto* command = app.add_subcommand("list", "List the steps: id, devices, rows, claim, source");
  command->add_option("PATTERN", arguments->patterns,
                      "Globs over step ids and row names; default: all steps");
  command->add_flag("--json", arguments->json, "Print the steps and their rows, or the claims, as JSON");
  command->add_flag("--markdown", arguments->markdown, "Print the steps as a Markdown table");
  command->option_defaults()->group("Instead of steps");
  command->add_flag("--claims", arguments->claims, "List each published claim and how tuneproof treats it");
  command->add_flag("--refused", arguments->refused, "List the claims that cannot be tested honestly");
  command->add_flag("--planned", arguments->planned, "List the claims that still need a step");
  command->footer(
      "Examples:\n"
      "  tuneproof list\n"
      "  tuneproof list 'transfer/*' '*pinned*'\n"
      "  tuneproof list --claims | grep ' xfer-'\n"
      "  tuneproof list --json | python3 -m json.tool | less");
  command->callback([arguments, &program, &chosen] {
    chosen = [arguments, &program] {
      require_one_listing(*arguments);
      if (arguments->refused) return run_claims(program, ClaimFate::refused, arguments->json);
      if (arguments->planned) return run_claims(program, ClaimFate::planned, arguments->json);
      if (arguments->claims) return run_claims(program, std::nullopt, arguments->json);
      const auto shape = arguments->json ? Shape::json : arguments->markdown ? Shape::markdown : Shape::text;
      return run_list(program, arguments->patterns, shape);
    };
  });
}

}  // namespace harness::run
