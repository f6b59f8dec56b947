#include "harness/cli/list.hpp"

#include "harness/cli/select.hpp"
#include "harness/report/terminal.hpp"
#include "harness/report/text.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>

namespace harness {
namespace {

std::string_view needs_text(Runs runs) {
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
std::string rows_text(const CatalogueStep& step) {
  const auto quick = std::ranges::count_if(step.rows, &CatalogueRow::quick);
  const auto full = static_cast<std::ptrdiff_t>(step.rows.size());
  const auto devices = step.runs == Runs::session ? 2 : 1;
  return fmt::format("{} / {}", quick / devices, full / devices);
}

std::vector<const CatalogueStep*> matching(const Catalogue& catalogue,
                                           const std::vector<std::string>& patterns) {
  Selection selection{.patterns = patterns, .suite = Suite::full, .has_cuda = true};
  std::vector<const CatalogueStep*> steps;
  for (const auto& planned : select_rows(catalogue, selection))
    if (steps.empty() || steps.back() != planned.step) steps.push_back(planned.step);
  return steps;
}

int run_list(const Program& program, const std::vector<std::string>& patterns, bool json) {
  const auto steps = matching(program.catalogue, patterns);
  if (!json) {
    fmt::print("{}", list_text(steps, style_of(stdout)));
    return 0;
  }
  auto all = nlohmann::ordered_json::array();
  for (const auto* step : steps) all.push_back(step_json(*step));
  fmt::print("{}\n", nlohmann::ordered_json{{"steps", std::move(all)}}.dump(2));
  return 0;
}

}  // namespace

std::string list_text(const std::vector<const CatalogueStep*>& steps, const Style& style) {
  constexpr int indent = 4;
  const auto line = [&](std::string_view id, std::string_view needs, std::string_view rows) {
    const auto padded = fmt::format("{:{}}", id, style.columns - 22);
    return fmt::format("{}  {:11}  {:>7}", inked(padded, Ink::bold, style), needs, rows);
  };
  auto out = line("STEP", "NEEDS", "ROWS") + "\n";
  for (const auto* step : steps) {
    out += line(step->id, needs_text(step->runs), rows_text(*step)) + "\n";
    out += indented("", step->claim, indent, style);
    const auto source = indented("", step->source_title + ", " + step->source_where, indent, style);
    out += inked(source.substr(0, source.size() - 1), Ink::dim, style) + "\n";
  }
  const auto legend = fmt::format(
      "{} step{}. ROWS: of the quick suite / of the full one. `tuneproof explain STEP` "
      "teaches one.",
      steps.size(), steps.size() == 1 ? "" : "s");
  out.append("\n").append(indented("", legend, 0, style));
  return out;
}

void add_list(CLI::App& app, const Program& program, Action& chosen) {
  struct Arguments {
    std::vector<std::string> patterns;
    bool json = false;
  };
  const auto arguments = std::make_shared<Arguments>();
  auto* command = app.add_subcommand("list", "The steps there are: id, needs, rows, claim, source");
  command->add_option("PATTERN", arguments->patterns, "Globs over step and row names; none: all steps");
  command->add_flag("--json", arguments->json, "The steps and their rows as JSON");
  command->footer(
      "Examples:\n"
      "  tuneproof list\n"
      "  tuneproof list 'transfer/*' '*pinned*'\n"
      "  tuneproof list --json | python3 -m json.tool | less");
  command->callback([arguments, &program, &chosen] {
    chosen = [arguments, &program] { return run_list(program, arguments->patterns, arguments->json); };
  });
}

}  // namespace harness
