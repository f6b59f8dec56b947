#include "harness/pages/step_fields.hpp"

#include "harness/catalogue/step_points.hpp"
#include "harness/support/quantity.hpp"

#include <fmt/format.h>

namespace harness::pages {
namespace {

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

/// "helps at n:128; of n:1024, n:4096 we expect nothing: the machine decides".
std::string expectation_text(const catalogue::Step& step, Device::Kind kind) {
  if (step.naive_may_be_wrong) return std::string(catalogue::expected_text(step));
  if (step.expected == Outcome::depends) return "depends on the circumstances";
  std::string told;
  std::string untold;
  const auto outcome = std::ranges::find_if(step.rows, [&](const catalogue::Row& row) {
    return row.device == kind && row.expected != Outcome::depends;
  });
  for (const auto& row : step.rows) {
    if (row.device != kind) continue;
    auto& list = row.expected == Outcome::depends ? untold : told;
    list += (list.empty() ? "" : ", ") + point_text(row);
  }
  if (outcome == step.rows.end()) return "the source does not say";
  auto text = std::string(to_string(outcome->expected));
  if (untold.empty()) return text;
  if (!step.about.empty())
    return fmt::format("{} at {}; at other points we expect nothing: the machine decides", text, step.about);
  return fmt::format("{} at {}; of {} we expect nothing: the machine decides", text, told, untold);
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
  return fmt::format("{}\n    {}{}  {}\n", point, times, change_text(result.ratio, result.interval), verdict);
}

}  // namespace

std::vector<PageField> claim_fields(const catalogue::Step& step) {
  std::vector<PageField> fields{{"Claim", step.claim},
                                {"Source", step.source_title + ", " + step.source_where},
                                {"Source", step.source_url}};
  if (!step.claim_ids.empty()) fields.push_back({"Claim ids", step.claim_ids});
  return fields;
}

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

std::vector<PageField> price_fields(const ShownPrices& prices) {
  if (!prices.rows.empty()) return {};
  if (!prices.from.empty()) return {{"Prices", "none of " + prices.from + " concerns this step"}};
  return {{"Prices",
           "none given; measure them with tuneproof prices --benchmark_out=prices.json and show them here "
           "with --prices prices.json"}};
}

std::vector<PageField> expectations_of(const catalogue::Step& step) {
  std::vector<PageField> fields;
  for (const auto kind : {Device::Kind::cuda, Device::Kind::cpu})
    if (std::ranges::find(step.rows, kind, &catalogue::Row::device) != step.rows.end())
      fields.push_back({"Expected", (kind == Device::Kind::cuda ? "on a CUDA device: " : "on the CPU: ") +
                                        expectation_text(step, kind)});
  return fields;
}

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

}  // namespace harness::pages
