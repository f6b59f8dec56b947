#include "harness/cli/explain.hpp"

#include "harness/cli/lesson.hpp"
#include "harness/cli/near_miss.hpp"
#include "harness/cli/step_points.hpp"
#include "harness/cli/topics.hpp"
#include "harness/report/number.hpp"
#include "harness/report/terminal.hpp"
#include "harness/report/text.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <utility>

namespace harness {
namespace {

constexpr int field_columns = 13;

std::string field(std::string_view name, std::string_view text, const Style& style) {
  const auto lines = indented(name, text, field_columns, style);
  return inked(name, Ink::bold, style) + lines.substr(name.size());
}

std::string answer_text(const CatalogueStep& step) {
  const auto allowed = [](double relative, const std::string& why) {
    if (relative == 0) return std::string("equal bits");
    return fmt::format("within {} of the largest value ({})", plain_text(relative), why);
  };
  auto text = allowed(step.tolerance, step.tolerance_why);
  if (step.cuda_tolerance > 0) text += "; on CUDA " + allowed(step.cuda_tolerance, step.cuda_tolerance_why);
  return text + ". Forms that disagree are failed and never timed.";
}

std::string needs_text(Runs runs) {
  switch (runs) {
    case Runs::host:
      return "the CPU only";
    case Runs::cuda:
      return "a CUDA device";
    case Runs::each:
      return "the CPU; with a CUDA device there as well";
    case Runs::session:
      break;
  }
  return "a CUDA device where there is one, else the CPU; --device chooses";
}

constexpr auto lesson_text =
    "the naive form may be wrong: both are tried 20 times, and the row says how often it was. An optimized "
    "form that is wrong once is failed and never timed.";

std::string facts_text(const CatalogueStep& step, const Style& style) {
  auto out = field("Claim", step.claim, style);
  out += field("Source", step.source_title + ", " + step.source_where, style);
  out += field("", step.source_url, style);
  out += field("Published", fmt::format("{}; {}", expected_text(step), step.published), style);
  out += step.naive_may_be_wrong ? field("Answer", lesson_text, style)
                                 : field("Same answer", answer_text(step), style);
  out += field("An effect", fmt::format("counts from {:.2g} %.", 100 * step.delta), style);
  out += field("Runs on", needs_text(step.runs), style);
  for (const auto& axis : step.axes) {
    const bool first = &axis == &step.axes.front();
    out += field(first ? "Axes" : "", axis.name + ": " + axis.about, style);
  }
  return out + field("Points", points_text(step), style);
}

std::string commands_text(const CatalogueStep& step) {
  auto out = fmt::format("  tuneproof run {}\n", step.id);
  const auto quick = std::ranges::count_if(step.rows, &CatalogueRow::quick);
  if (quick > 0 && quick < static_cast<std::ptrdiff_t>(step.rows.size()))
    out += fmt::format("  tuneproof run {} --suite quick\n", step.id);
  if (!step.rows.front().at.empty()) {
    const auto& last = step.rows.back().at.front();
    out += fmt::format("  tuneproof run {} --point {}={}\n", step.id, last.axis, last.text);
  }
  if (step.runs == Runs::each || step.runs == Runs::session)
    out += fmt::format("  tuneproof run {} --device cpu\n", step.id);
  return out;
}

/// A part of the code on the page, and the file that it comes from.
struct Part {
  std::string_view file;
  Excerpt code;
};

/// The step's own function, then the functions that ask for its switch.
std::vector<Part> code_parts(const CatalogueStep& step, std::span<const StepSource> sources) {
  std::vector<Part> parts;
  for (const auto& source : sources)
    parts.push_back({source.file, parts.empty()
                                      ? code_of(source.text, step.id)
                                      : code_behind_switch(source.text, switch_of(sources[0].text))});
  std::erase_if(parts, [](const Part& part) { return part.code.text.empty(); });
  return parts;
}

std::span<const StepSource> sources_of(const Program& program, const CatalogueStep& step) {
  const auto [first, last] = std::ranges::equal_range(program.sources, step.id, {}, &StepSource::step);
  return {first, last};
}

int run_explain(const Program& program, const std::string& name, bool json) {
  if (asks_for_topics(name)) return run_topic(name, json);
  const auto& step = find_step(program.catalogue, name);
  const auto sources = sources_of(program, step);
  if (!json) {
    fmt::print("{}", explain_text(step, sources, style_of(stdout)));
    return 0;
  }
  auto page = step_json(step);
  page["lesson"] = sources.empty() ? "" : lesson_of(sources[0].text);
  page["code"] = nlohmann::ordered_json::array();
  for (const auto& [file, code] : code_parts(step, sources))
    page["code"].push_back(
        {{"file", file}, {"first_line", code.first}, {"last_line", code.last}, {"text", code.text}});
  fmt::print("{}\n", page.dump(2));
  return 0;
}

}  // namespace

const CatalogueStep& find_step(const Catalogue& catalogue, const std::string& name) {
  std::vector<std::string> names;
  for (const auto& step : catalogue.steps) {
    if (step.id == name || std::ranges::find(step.rows, name, &CatalogueRow::name) != step.rows.end())
      return step;
    names.push_back(step.id);
  }
  for (auto& topic : topic_names()) names.push_back(std::move(topic));
  const auto near = did_you_mean(name, names);
  throw BadInput(fmt::format("there is no step '{}'{}", name,
                             near.empty() ? "; 'tuneproof list' names them all" : near));
}

std::string explain_text(const CatalogueStep& step, std::span<const StepSource> sources, const Style& style) {
  const auto heading = [&](std::string_view text) {
    return fmt::format("\n{}\n\n", inked(text, Ink::bold, style));
  };
  auto out = inked(step.id, Ink::bold, style) + "\n\n" + facts_text(step, style);
  if (!sources.empty()) out += heading("The lesson") + reflowed(lesson_of(sources[0].text), style);
  for (const auto& [file, code] : code_parts(step, sources)) {
    const auto title = file == sources[0].file ? "The code" : "Where its switch is asked for";
    out += heading(fmt::format("{}: {}, lines {} to {}", title, file, code.first, code.last)) + code.text;
  }
  return out + heading("Put it to the test") + commands_text(step);
}

void add_explain(CLI::App& app, const Program& program, Action& chosen) {
  struct Arguments {
    std::string step;
    bool json = false;
  };
  const auto arguments = std::make_shared<Arguments>();
  auto* command =
      app.add_subcommand("explain", "The lesson of one step with the code of both forms, or a topic");
  command->add_option("STEP", arguments->step, "A step, one of its rows, a topic, or 'topics' for their list")
      ->required();
  command->add_flag("--json", arguments->json, "The same as JSON");
  command->footer(
      "Examples:\n"
      "  tuneproof explain sync/item_every_step\n"
      "  tuneproof explain sync/item_every_step/n:128/device:cpu --json\n"
      "  tuneproof explain topics\n"
      "  tuneproof explain topic/warm_up\n\n"
      "Topics:\n" +
      topic_names_text());
  command->callback([arguments, &program, &chosen] {
    chosen = [arguments, &program] { return run_explain(program, arguments->step, arguments->json); };
  });
}

}  // namespace harness
