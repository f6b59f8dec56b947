#include "harness/teach/step_page.hpp"

#include "harness/support/near_miss.hpp"
#include "harness/teach/lesson.hpp"
#include "harness/teach/step_fields.hpp"
#include "harness/teach/topics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace harness::teach {
namespace {

std::vector<PageListing> listings_of(const catalogue::Step& step,
                                     std::span<const catalogue::StepSource> sources) {
  std::vector<PageListing> listings;
  for (const auto& code : code_parts(step, sources)) {
    const auto what = listings.empty() ? "The code" : "Where the code reads its switch";
    listings.push_back(
        {fmt::format("{}: {}, lines {} to {}", what, code.file, code.first_line, code.last_line), code.text,
         true});
  }
  return listings;
}

std::vector<std::string> commands_of(const catalogue::Step& step) {
  std::vector<std::string> commands{fmt::format("tuneproof run {}", step.id)};
  const auto quick = std::ranges::count_if(step.rows, &catalogue::Row::quick);
  if (quick > 0 && quick < static_cast<std::ptrdiff_t>(step.rows.size()))
    commands.push_back(fmt::format("tuneproof run {} --suite quick", step.id));
  if (!step.rows.front().at.empty()) {
    const auto& last = step.rows.back().at.front();
    commands.push_back(fmt::format("tuneproof run {} --point {}={}", step.id, last.axis, last.text));
  }
  if (step.runs == Runs::each || step.runs == Runs::session)
    commands.push_back(fmt::format("tuneproof run {} --device cpu", step.id));
  return commands;
}

}  // namespace

std::vector<CodePart> code_parts(const catalogue::Step& step,
                                 std::span<const catalogue::StepSource> sources) {
  std::vector<CodePart> parts;
  for (const auto& source : sources) {
    auto code = parts.empty() ? code_of(source.text, step.id)
                              : code_behind_switch(source.text, switch_of(sources[0].text));
    parts.push_back({source.file, std::move(code.text), code.first, code.last});
  }
  std::erase_if(parts, [](const CodePart& part) { return part.text.empty(); });
  return parts;
}

StepPage step_page(const catalogue::Step& step, std::span<const catalogue::StepSource> sources,
                   const MeasuredHere& here) {
  auto lesson = parts_of(sources.empty() ? std::string() : lesson_of(sources[0].text));
  StepPage page{step.id, std::move(lesson.title), claim_fields(step), {}, commands_of(step)};
  page.parts = {{
      {"1. A question to answer before you run it", std::move(lesson.question)},
      {"2. What the hardware does", std::move(lesson.hardware)},
      {"3. Both forms", std::move(lesson.measured), form_fields(step), listings_of(step, sources)},
      {"4. When it does not matter, or hurts", std::move(lesson.when), price_fields(here.prices),
       price_listings(here.prices)},
      {"5. What was published, and what was measured here",
       {},
       published_fields(step, here),
       result_listings(step, here)},
  }};
  return page;
}

std::string explain_text(const catalogue::Step& step, std::span<const catalogue::StepSource> sources,
                         const Style& style) {
  return page_text(step_page(step, sources, {}), style);
}

const catalogue::Step& find_step(const catalogue::Catalogue& catalogue, const std::string& name) {
  std::vector<std::string> names;
  for (const auto& step : catalogue.steps) {
    if (step.id == name || std::ranges::find(step.rows, name, &catalogue::Row::name) != step.rows.end())
      return step;
    names.push_back(step.id);
  }
  for (auto& topic : topic_names()) names.push_back(std::move(topic));
  const auto near = did_you_mean(name, names);
  throw BadInput(fmt::format("there is no step '{}'{}", name,
                             near.empty() ? "; run 'tuneproof list' to see them all" : near));
}

}  // namespace harness::teach
