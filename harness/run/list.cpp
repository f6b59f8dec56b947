#include "harness/run/list.hpp"

#include "harness/run/select.hpp"
#include "harness/support/text.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sstream>

namespace harness::run {
namespace {

std::string_view runs_on_text(Runs runs) {
  constexpr std::array<std::string_view, 4> texts{"cpu", "cuda", "cpu, cuda", "cpu or cuda"};
  return texts[static_cast<std::size_t>(runs)];
}

/// Rows of the quick suite and of the full one; steps of neither run when they are named. A session runs on
/// one device, so half of its rows are listed.
std::string rows_text(const catalogue::Step& step) {
  const auto quick = std::ranges::count_if(step.rows, &catalogue::Row::quick);
  const auto full = std::ranges::count_if(step.rows, &catalogue::Row::full);
  if (full == 0) return "by name";
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

/// The whole of it, or what fits of its first words: "Copying to the device ..".
std::string beginning_of(const std::string& claim, std::size_t columns) {
  constexpr std::string_view rest = " ..";
  if (claim.size() <= columns) return claim;
  const auto kept = columns - rest.size();
  return wrap(claim, static_cast<int>(kept)).front().substr(0, kept).append(rest);
}

struct Arguments {
  std::vector<std::string> patterns;
  bool long_form = false;
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
  if (arguments.long_form && (arguments.markdown || arguments.json || listings > 0))
    throw BadInput("--long prints the steps as text only; leave out the other options");
  if (arguments.markdown && arguments.json) throw BadInput("give either --json or --markdown, not both");
}

/// The same as a Markdown table: step, claim, what the source expects, needs.
std::string list_markdown(const std::vector<const catalogue::Step*>& steps) {
  std::string out = "| step | claim | expected | runs on |\n|---|---|---|---|\n";
  for (const auto* step : steps)
    out += fmt::format("| {} | {} | {} | {} |\n", step->id, step->claim, catalogue::expected_text(*step),
                       runs_on_text(step->runs));
  return out;
}

int run_list(const catalogue::Program& program, const Arguments& arguments) {
  const auto steps = matching(program.catalogue, arguments.patterns);
  if (!arguments.json) {
    const ListText how{.long_form = arguments.long_form, .lessons = !program.sources.empty()};
    fmt::print("{}", arguments.markdown ? list_markdown(steps) : list_text(steps, style_of(stdout), how));
    return 0;
  }
  auto all = nlohmann::ordered_json::array();
  for (const auto* step : steps) all.push_back(catalogue::step_json(*step));
  fmt::print("{}\n", nlohmann::ordered_json{{"steps", std::move(all)}}.dump(2));
  return 0;
}

nlohmann::ordered_json claims_json(const std::vector<ClaimLine>& lines) {
  auto all = nlohmann::ordered_json::array();
  for (const auto& line : lines) all.push_back({{"id", line.id}, {"fate", line.fate}, {"what", line.what}});
  return {{"claims", std::move(all)}};
}

int run_claims(const catalogue::Program& program, std::optional<ClaimFate> only, bool json) {
  const auto lines = claim_lines(program.catalogue, program.other_claims, only);
  if (json)
    fmt::print("{}\n", claims_json(lines).dump(2));
  else
    fmt::print("{}", claims_text(lines, style_of(stdout)));
  return 0;
}

constexpr auto of_a_step = "step";

std::string_view fate_text(ClaimFate fate) {
  constexpr std::array<std::string_view, 3> texts{"finding", "refused", "planned"};
  return texts[static_cast<std::size_t>(fate)];
}

/// The claims of the steps; one that several steps cover stands once.
std::vector<ClaimLine> of_steps(const catalogue::Catalogue& catalogue) {
  std::vector<ClaimLine> lines;
  for (const auto& step : catalogue.steps) {
    std::istringstream ids(step.claim_ids);
    for (std::string id; ids >> id;) {
      const auto known = std::ranges::find(lines, id, &ClaimLine::id);
      if (known == lines.end())
        lines.push_back({id, of_a_step, step.id});
      else
        known->what += ", " + step.id;
    }
  }
  return lines;
}

}  // namespace

std::string list_text(const std::vector<const catalogue::Step*>& steps, const Style& style,
                      const ListText& how) {
  constexpr int rows_columns = 9;
  std::size_t id_columns = 0;
  for (const auto* step : steps) id_columns = std::max(id_columns, step->id.size());
  constexpr int fewest = 40, indent = 4;  // a claim that has fewer columns beside its step stands below it
  const auto claim_columns = style.columns - static_cast<int>(id_columns) - rows_columns - 4;
  const bool below = how.long_form || claim_columns < fewest;
  const auto line = [&](std::string_view id, std::string_view rows, std::string_view rest) {
    return fmt::format("{}  {:>{}}{}{}\n", inked(fmt::format("{:{}}", id, id_columns), Ink::bold, style),
                       rows, rows_columns, rest.empty() ? "" : "  ", rest);
  };
  auto out = line("STEP", "ROWS", how.long_form ? "RUNS ON" : below ? "" : "CLAIM");
  for (const auto* step : steps) {
    if (!below) {
      out += line(step->id, rows_text(*step),
                  beginning_of(step->claim, static_cast<std::size_t>(claim_columns)));
      continue;
    }
    out += line(step->id, rows_text(*step), how.long_form ? runs_on_text(step->runs) : "");
    out += indented("", step->claim, indent, style);
    if (!how.long_form) continue;
    const auto source = indented("", step->source_title + ", " + step->source_where, indent, style);
    out += inked(source.substr(0, source.size() - 1), Ink::dim, style) + "\n";
  }
  const auto legend = fmt::format(
      "{} step{}. ROWS: in the quick suite / in the full suite; a step \"by name\" runs only if you name "
      "it.{}{}",
      steps.size(), steps.size() == 1 ? "" : "s",
      how.long_form ? "" : " --long adds devices, whole claims and sources.",
      how.lessons
          ? " `tuneproof explain STEP` teaches a step, `tuneproof explain topics` lists what steps have in "
            "common, and `tuneproof explain WORDS` searches."
          : "");
  out.append("\n").append(indented("", legend, 0, style));
  return out;
}

void add_list(CLI::App& app, const catalogue::Program& program, catalogue::Action& chosen) {
  const auto arguments = std::make_shared<Arguments>();
  auto* command = app.add_subcommand("list", "List the steps, a line each: id, rows, claim");
  command->add_option("PATTERN", arguments->patterns,
                      "Folders, or globs over step ids and row names; default: all steps");
  command->add_flag("-l,--long", arguments->long_form, "Add devices, whole claims and sources");
  command->add_flag("--json", arguments->json, "Print the steps and their rows, or the claims, as JSON");
  command->add_flag("--markdown", arguments->markdown, "Print the steps as a Markdown table");
  command->option_defaults()->group("Instead of steps");
  command->add_flag("--claims", arguments->claims, "List each published claim and how tuneproof treats it");
  command->add_flag("--refused", arguments->refused, "List the claims that cannot be tested honestly");
  command->add_flag("--planned", arguments->planned, "List the claims that still need a step");
  command->footer(
      "Examples:\n"
      "  tuneproof list\n"
      "  tuneproof list transfer '*pinned*' --long\n"
      "  tuneproof list --claims | grep ' xfer-'\n"
      "  tuneproof list --json | python3 -m json.tool | less");
  catalogue::choose_by(*command, chosen, [arguments, &program] {
    require_one_listing(*arguments);
    if (arguments->refused) return run_claims(program, ClaimFate::refused, arguments->json);
    if (arguments->planned) return run_claims(program, ClaimFate::planned, arguments->json);
    if (arguments->claims) return run_claims(program, std::nullopt, arguments->json);
    return run_list(program, *arguments);
  });
}

std::vector<ClaimLine> claim_lines(const catalogue::Catalogue& catalogue, std::span<const Claim> others,
                                   std::optional<ClaimFate> only) {
  auto lines = only ? std::vector<ClaimLine>() : of_steps(catalogue);
  for (const auto& claim : others)
    if (!only || claim.fate == *only)
      lines.push_back({std::string(claim.id), std::string(fate_text(claim.fate)), std::string(claim.what)});
  return lines;
}

std::string claims_text(const std::vector<ClaimLine>& lines, const Style& style) {
  constexpr int id_columns = 28;
  if (lines.empty()) return "No claim is only planned: each is a step, a finding, or refused (--claims).\n";
  std::string out;
  std::map<std::string, int> counts;
  for (const auto& line : lines) {
    ++counts[line.fate];
    const auto lead = fmt::format("{:{}} {:8} ", line.id, id_columns, line.fate);
    out += indented(lead, line.what, static_cast<int>(lead.size()), style);
  }
  std::vector<std::string> parts;
  for (const auto& [fate, count] : counts) parts.push_back(fmt::format("{} {}", count, fate));
  out += fmt::format("\n{} claims: {}.\n", lines.size(), fmt::join(parts, ", "));
  return out;
}

}  // namespace harness::run
