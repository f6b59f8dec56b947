// The page of a step for a person, and as Markdown.
#include "harness/pages/step_page.hpp"

#include "harness/catalogue/catalogue.hpp"
#include "harness/catalogue/in_python.hpp"
#include "harness/pages/lesson.hpp"
#include "harness/pages/topics.hpp"
#include "harness/support/near_miss.hpp"
#include "harness/support/quantity.hpp"
#include "harness/support/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

namespace harness::pages {
namespace {

/// The function in Python that a file of C++ holds as text, R"python(...)python"; empty where it has none.
Excerpt python_of(std::string_view text) {
  constexpr std::string_view open = "R\"python(\n", close = ")python\"";
  const auto begin = text.find(open);
  if (begin == text.npos) return {};
  const auto line_of = [&](std::size_t at) {
    return 1 + static_cast<int>(std::ranges::count(text.substr(0, at), '\n'));
  };
  const auto first = begin + open.size(), end = std::min(text.find(close, first), text.size());
  return {std::string(text.substr(first, end - first)), line_of(first), line_of(end) - 1};
}

std::vector<PageListing> listings_of(const catalogue::Step& step,
                                     std::span<const catalogue::StepSource> sources) {
  std::vector<PageListing> listings;
  for (const auto& code : code_parts(step, sources)) {
    const auto* const what = code.python        ? "The function in Python, which torch compiles"
                             : listings.empty() ? "The code"
                                                : "Where the code reads its switch";
    const auto lines = code.first_line == code.last_line
                           ? fmt::format("line {}", code.first_line)
                           : fmt::format("lines {} to {}", code.first_line, code.last_line);
    listings.push_back(
        {fmt::format("{}: {}, {}", what, code.file, lines), code.text, code.python ? "python" : "cpp"});
  }
  return listings;
}

/// What a PyTorch user changes; empty where the step has no lines.
PagePart python_part(std::string_view step) {
  PagePart part{"3. In Python", {}};
  const auto lines = catalogue::in_python(step);
  if (!lines) return part;
  part.prose = lines->none.empty() ? lines->note : lines->none;
  if (!lines->none.empty()) return part;
  if (lines->needs_cuda)
    part.prose += std::string(part.prose.empty() ? "" : " ") + "These lines need a CUDA device.";
  else if ((lines->before + lines->after).find("autocast(\"cuda\"") != std::string::npos)
    part.prose += std::string(part.prose.empty() ? "" : " ") +
                  "Without a CUDA device these lines warn, and run in FP32.";
  part.listings = {{"Before", lines->before, "python"}, {"After", lines->after, "python"}};
  return part;
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

constexpr int field_columns = 13;

std::string field_text(std::string_view name, std::string_view text, const Style& style) {
  const auto lines = indented(name, text, field_columns, style);
  return inked(name, Ink::bold, style) + lines.substr(name.size());
}

std::string fields_text(const std::vector<PageField>& fields, const Style& style) {
  std::string out;
  std::string_view before;
  for (const auto& field : fields) {
    out += field_text(field.name == before ? std::string_view() : field.name, field.text, style);
    before = field.name;
  }
  return out;
}

/// One empty line between what is not empty.
void add_block(std::string& out, const std::string& block) {
  if (!block.empty()) out.append("\n").append(block);
}

/// A longer title is wrapped; the lines below it stay as they are.
std::string listing_text(const PageListing& listing, const Style& style) {
  std::string out;
  for (const auto& line : wrap(listing.title, style.columns)) out += line + "\n";
  return out + "\n" + listing.text;
}

std::string markdown_fields(const std::vector<PageField>& fields) {
  std::string out;
  for (const auto& field : fields) out += fmt::format("- **{}:** {}\n", field.name, field.text);
  return out;
}

std::string markdown_part(const PagePart& part) {
  std::string out = fmt::format("\n## {}\n", part.heading);
  add_block(out, part.prose.empty() ? std::string() : part.prose + "\n");
  add_block(out, markdown_fields(part.fields));
  for (const auto& listing : part.listings)
    add_block(out, fmt::format("{}\n\n```{}\n{}```\n", listing.title, listing.language, listing.text));
  return out;
}

bool is_empty(const PagePart& part) {
  return part.prose.empty() && part.listings.empty() && part.fields.empty();
}

/// Claim, source, ids of docs/claims.md.
std::vector<PageField> claim_fields(const catalogue::Step& step) {
  std::vector<PageField> fields{{"Claim", step.claim},
                                {"Source", step.source_title + ", " + step.source_where},
                                {"Source", step.source_url}};
  if (!step.claim_ids.empty()) fields.push_back({"Claim ids", step.claim_ids});
  return fields;
}

std::string answer_text(const catalogue::Step& step) {
  const auto allowed = [](double relative, const std::string& why) {
    if (relative == 0) return std::string("equal bits");
    return fmt::format("within {} of the largest value ({})", plain_text(relative), why);
  };
  auto text = allowed(step.tolerance, step.tolerance_why);
  if (step.cuda_tolerance > 0) text += "; on CUDA " + allowed(step.cuda_tolerance, step.cuda_tolerance_why);
  return text + ". Forms that disagree fail and are never timed.";
}

std::string point_text(const catalogue::Row& row) {
  std::string point;
  for (const auto& c : row.at) point += (point.empty() ? "" : "/") + c.axis + ":" + c.text;
  return point;
}

std::string needs_text(Runs runs) {
  switch (runs) {
    case Runs::host:
      return "the CPU only";
    case Runs::cuda:
      return "a CUDA device";
    case Runs::each:
      return "the CPU, and a CUDA device if there is one";
    case Runs::session:
      break;
  }
  return "a CUDA device if there is one, else the CPU; --device chooses";
}

constexpr auto lesson_text =
    "the first side may be wrong: both sides run 20 times, and the row says how often it was wrong. A "
    "second side that is wrong once fails and is never timed.";

/// "helps at n:128, hurts at n:16; of n:1024, n:4096 we expect nothing: the machine decides".
std::string expectation_text(const catalogue::Step& step, Device::Kind kind) {
  if (step.naive_may_be_wrong) return std::string(catalogue::expected_text(step));
  std::map<Outcome, std::vector<std::string>> points;
  for (const auto& row : step.rows)
    if (row.device == kind) points[row.expected].push_back(point_text(row));
  const auto untold = points.extract(Outcome::depends);
  if (points.empty())
    return step.expected == Outcome::depends ? "depends on the circumstances" : "the source does not say";
  const auto word = [&](const auto& entry) { return catalogue::outcome_text(step, entry.first); };
  if (points.size() == 1 && untold.empty()) return std::string(word(*points.begin()));
  if (points.size() == 1 && !step.about.empty())
    return fmt::format("{} at {}; at other points we expect nothing: the machine decides",
                       word(*points.begin()), step.about);
  std::vector<std::string> told;
  for (const auto& entry : points)
    told.push_back(fmt::format("{} at {}", word(entry), fmt::join(entry.second, ", ")));
  auto text = fmt::format("{}", fmt::join(told, "; "));
  if (!untold.empty())
    text += fmt::format("; of {} we expect nothing: the machine decides", fmt::join(untold.mapped(), ", "));
  return text;
}

std::string seconds_or_calls(double value, std::string_view unit) {
  return fmt::format("{} {}", plain_text(value), unit);
}

/// "AMD EPYC, 2 CPUs, no GPU; commit 1697d9f; 2026-11-21T20:43:00Z; results.json".
std::string origin_text(const LastResult& result) {
  return fmt::format("{}{}; commit {}; {}; {}", result.machine,
                     result.other_machine ? " (ANOTHER MACHINE THAN THIS ONE)" : "", result.commit,
                     result.started, result.from);
}

/// "bytes:1MiB", and how many of the same reason follow it.
std::string point_of(const catalogue::Step& step, const LastResult& result, std::ptrdiff_t more) {
  const auto point = result.row.substr(std::min(step.id.size() + 1, result.row.size()));
  const auto others = more == 0 ? std::string() : fmt::format(" and {} more", more);
  return (point.empty() ? "the one row" : point) + others;
}

bool untimed_alike(const LastResult& a, const LastResult& b) {
  return a.ratio == 0 && b.ratio == 0 && a.said == b.said && a.reason == b.reason &&
         origin_text(a) == origin_text(b);
}

std::string result_line(const LastResult& result, const std::string& point) {
  const auto verdict = result.verdict ? result.said : std::string("(verdict not kept)");
  if (result.ratio == 0) return fmt::format("{}\n    {}: {}\n", point, verdict, result.reason);
  const auto times =
      result.naive.empty() ? std::string() : fmt::format("{} -> {}  ", result.naive, result.optimized);
  const auto change = result.change.empty() ? change_text(result.ratio, result.interval) : result.change;
  const auto why = result.why.empty() ? std::string() : fmt::format("      {}\n", result.why);
  return fmt::format("{}\n    {}{}  {}\n{}", point, times, change, verdict, why);
}

/// What both forms must have in common, and where they run.
std::vector<PageField> form_fields(const catalogue::Step& step) {
  std::vector<PageField> fields;
  if (step.naive_may_be_wrong)
    fields.push_back({"Answer", lesson_text});
  else
    fields.push_back({"Same answer", answer_text(step)});
  fields.push_back({"Sides", step.naive + " -> " + step.optimized});
  fields.push_back({"An effect", fmt::format("counts from {:.2g} %.", 100 * step.delta)});
  fields.push_back({"Runs on", needs_text(step.runs)});
  for (const auto& axis : step.axes) fields.push_back({"Axes", axis.name + ": " + axis.about});
  fields.push_back({"Points", catalogue::points_text(step)});
  return fields;
}

/// The prices as a table; empty where there are none.
std::vector<PageListing> price_listings(const ShownPrices& prices) {
  if (prices.rows.empty()) return {};
  std::string lines;
  for (const auto& row : prices.rows) {
    const auto rate = row.bytes_per_second > 0 ? rate_text(row.bytes_per_second, "B") : std::string();
    lines += fmt::format("{:<46}{:>9}{:>13}", row.name, time_text(row.seconds), rate);
    lines.erase(lines.find_last_not_of(' ') + 1);
    lines += '\n';
  }
  return {{"Prices of this machine for this step (" + prices.from + ")", lines}};
}

/// How to get them, where no file was given and some concern the step.
std::vector<PageField> price_fields(const MeasuredHere& here) {
  if (!here.prices.from.empty() || !here.has_prices) return {};
  return {{"Prices",
           "none given; measure them with tuneproof prices --benchmark_out=prices.json and show them here "
           "with --prices prices.json"}};
}

/// What was published and is expected, and where no result is, how to get one.
std::vector<PageField> published_fields(const catalogue::Step& step, const MeasuredHere& here) {
  std::vector<PageField> fields{{"Published", step.published}};
  for (const auto& figure : step.published_profile) {
    auto text = figure.name + ": ";
    if (figure.before > 0) text += seconds_or_calls(figure.before, figure.unit);
    if (figure.after) text += fmt::format(" -> {}", seconds_or_calls(*figure.after, figure.unit));
    fields.push_back({"Published", text + " (" + figure.where + ")"});
  }
  std::ranges::move(expectations_of(step), std::back_inserter(fields));
  if (!here.results.empty()) return fields;
  fields.push_back({"Measured", here.looked_in.empty()
                                    ? "no result given; make one with tuneproof run " + step.id +
                                          " --json r.json and show it here with --results r.json"
                                    : "no row of this step in " + here.looked_in});
  return fields;
}

/// The last results as a table.
std::vector<PageListing> result_listings(const catalogue::Step& step, const MeasuredHere& here) {
  std::vector<PageListing> listings;
  for (auto result = here.results.begin(); result != here.results.end();) {
    const auto other = std::find_if(result + 1, here.results.end(),
                                    [&](const LastResult& next) { return !untimed_alike(*result, next); });
    auto origin = fmt::format("Last result: {}", origin_text(*result));
    if (listings.empty() || listings.back().title != origin) listings.push_back({std::move(origin), {}});
    listings.back().text += result_line(*result, point_of(step, *result, other - result - 1));
    result = other;
  }
  return listings;
}

}  // namespace

std::vector<CodePart> code_parts(const catalogue::Step& step,
                                 std::span<const catalogue::StepSource> sources) {
  std::vector<CodePart> parts;
  for (const auto& source : sources) {
    auto code = parts.empty() ? code_of(source.text, step.id)
                              : code_behind_switch(source.text, switch_of(sources[0].text));
    const bool python = !parts.empty() && code.text.empty();
    if (python) code = python_of(source.text);
    const auto above = source.first_line - 1;
    parts.push_back({source.file, std::move(code.text), above + code.first, above + code.last, python});
  }
  std::erase_if(parts, [](const CodePart& part) { return part.text.empty(); });
  return parts;
}

std::string whole_lesson(std::span<const catalogue::StepSource> sources) {
  if (sources.empty()) return {};
  auto lesson = lesson_of(sources[0].text);
  for (const auto& other : sources.subspan(1)) {
    const auto reference = fmt::format("Lesson: {}\n", other.file);
    if (const auto at = lesson.find(reference); at != lesson.npos)
      lesson.replace(at, reference.size(), lesson_of(other.text));
  }
  return lesson;
}

StepPage step_page(const catalogue::Step& step, std::span<const catalogue::StepSource> sources,
                   const MeasuredHere& here) {
  auto lesson = parts_of(whole_lesson(sources));
  StepPage page{step.id, std::move(lesson.title), claim_fields(step), {}, commands_of(step)};
  page.parts = {{
      {"1. A question to answer before you run it", std::move(lesson.question)},
      {"2. What the hardware does", std::move(lesson.hardware)},
      python_part(step.id),
      {"4. Both forms", std::move(lesson.measured), form_fields(step), listings_of(step, sources)},
      {"5. When it does not matter, or hurts", std::move(lesson.when), price_fields(here),
       price_listings(here.prices)},
      {"6. What was published, and what was measured here",
       {},
       published_fields(step, here),
       result_listings(step, here)},
      {"7. The answer to the question", std::move(lesson.answer)},
  }};
  return page;
}

std::string explain_text(const catalogue::Step& step, std::span<const catalogue::StepSource> sources,
                         const Style& style) {
  return page_text(step_page(step, sources, {}), style);
}

std::string pages_near(const catalogue::Catalogue& catalogue, const std::string& name) {
  std::vector<std::string> names;
  for (const auto& step : catalogue.steps) names.push_back(step.id);
  for (auto& topic : topic_names()) names.push_back(std::move(topic));
  return did_you_mean(name, names);
}

const catalogue::Step& find_step(const catalogue::Catalogue& catalogue, const std::string& name) {
  for (const auto& step : catalogue.steps)
    if (step.id == name || std::ranges::find(step.rows, name, &catalogue::Row::name) != step.rows.end())
      return step;
  const auto near = pages_near(catalogue, name);
  throw BadInput(fmt::format("unknown step '{}'{}", name,
                             near.empty() ? "; run 'tuneproof list' to see them all" : near));
}

std::string page_text(const StepPage& page, const Style& style) {
  auto out = inked(page.id, Ink::bold, style) + "\n";
  if (!page.title.empty()) out += reflowed(page.title, style);
  add_block(out, fields_text(page.facts, style));
  for (const auto& part : page.parts) {
    if (is_empty(part)) continue;
    out += fmt::format("\n{}\n", inked(part.heading, Ink::bold, style));
    add_block(out, reflowed(part.prose, style));
    add_block(out, fields_text(part.fields, style));
    for (const auto& listing : part.listings) add_block(out, listing_text(listing, style));
  }
  out += fmt::format("\n{}\n\n", inked("Test it", Ink::bold, style));
  for (const auto& command : page.commands) out += fmt::format("  {}\n", command);
  return out;
}

std::string page_markdown(const StepPage& page) {
  auto out = fmt::format("# {}\n", page.id);
  add_block(out, page.title.empty() ? std::string() : page.title + "\n");
  add_block(out, markdown_fields(page.facts));
  for (const auto& part : page.parts)
    if (!is_empty(part)) out += markdown_part(part);
  out += "\n## Test it\n\n```\n";
  for (const auto& command : page.commands) out += command + "\n";
  return out + "```\n";
}

std::vector<PageField> expectations_of(const catalogue::Step& step) {
  std::vector<PageField> fields;
  for (const auto kind : {Device::Kind::cuda, Device::Kind::cpu})
    if (std::ranges::find(step.rows, kind, &catalogue::Row::device) != step.rows.end())
      fields.push_back({"Expected", (kind == Device::Kind::cuda ? "on a CUDA device: " : "on the CPU: ") +
                                        expectation_text(step, kind)});
  return fields;
}

}  // namespace harness::pages
