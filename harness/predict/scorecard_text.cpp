#include "harness/predict/scorecard_text.hpp"

#include "harness/run/predictions.hpp"
#include "harness/support/quantity.hpp"
#include "harness/support/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

namespace harness::predict {
namespace {

constexpr int name_columns = 36;
constexpr double ns_per_second = 1e9;

std::string percent(double share) { return fmt::format("{:.0f} %", 100 * share); }

/// Errors can be small: one digit behind the point.
std::string error_text(double share) {
  return std::abs(share) < 0.0005 ? "0.0 %" : fmt::format("{:+.1f} %", 100 * share);
}

std::string score_row(const Score& score) {
  return fmt::format("  {:{}} {:>4} {:>9} {:>7} {:>5} {:>7} {:>7} {:>5} {:>5}\n",
                     score.of.substr(0, name_columns), name_columns, score.rows,
                     fmt::format("{:.1f} %", 100 * score.median_error), error_text(score.bias),
                     percent(score.coverage()), percent(score.median_width), percent(score.interval_score),
                     score.saved_more, score.saved_less);
}

std::string score_table(const Scorecard& card, const Style& style) {
  auto out = inked(fmt::format("  {:{}} {:>4} {:>9} {:>7} {:>5} {:>7} {:>7} {:>5} {:>5}", "", name_columns,
                               "ROWS", "MED.ERROR", "BIAS", "HELD", "WIDTH", "SCORE", "MORE", "LESS"),
                   Ink::bold, style) +
             "\n";
  out += score_row(card.all);
  if (card.machines.size() > 1)
    for (const auto& machine : card.machines) out += score_row(machine);
  if (card.sources.size() > 1) {
    out += "  by what the interval comes from\n";
    for (const auto& source : card.sources) out += score_row(source);
  }
  out += "  by the work that a prediction mostly rests on\n";
  for (const auto& kind : card.kinds) out += score_row(kind);
  if (!card.rivals.empty())
    out += "  the same rows by other rules; intervals from the misses at other steps\n";
  for (const auto& [rule, predictions] : card.rivals) {
    out += score_row(rule);
    if (rule.rows < card.all.rows) out += score_row(predictions);
  }
  return out;
}

/// Which way the misses lie, and where most of them are.
std::string why_text(const Scorecard& card) {
  const int misses = card.all.rows - card.all.met;
  if (misses == 0) return {};
  const auto worst =
      std::ranges::max_element(card.kinds, {}, [](const Score& kind) { return kind.rows - kind.met; });
  auto text = fmt::format(
      "Of {} misses {} saved more than predicted (the tip also changes what is not "
      "counted: caches, arithmetic, waiting) and {} saved less (the work was cheaper than "
      "its price, or hidden).",
      misses, card.all.saved_more, card.all.saved_less);
  const int most = worst->rows - worst->met;
  return text + fmt::format(" {} of them {} mostly on {}.", most, most == 1 ? "rests" : "rest", worst->of);
}

std::string miss_text(const Scored& row, const Style& style) {
  const auto mostly = row.prediction.elsewhere ? run::elsewhere_text(row.prediction) : "mostly " + row.mostly;
  const auto said = fmt::format("predicted {}, measured {}; {}; {} explain {} of the form below",
                                run::saving_text(row.prediction.saving, row.prediction.interval),
                                run::saving_text(row.check.saving, row.check.interval), mostly,
                                results::is_replayed(row.prediction) ? "all its operators" : "the prices",
                                percent(row.prediction.explained));
  return fmt::format("    {}\n{}", row.row, indented("", said, 6, style));
}

Json score_to_json(const Score& score) {
  return {{"of", score.of},
          {"rows", score.rows},
          {"median_absolute_error", finite(score.median_error)},
          {"bias", finite(score.bias)},
          {"coverage", finite(score.coverage())},
          {"median_width", finite(score.median_width)},
          {"interval_score", finite(score.interval_score)},
          {"met", score.met},
          {"inside", score.inside},
          {"saved_more", score.saved_more},
          {"saved_less", score.saved_less}};
}

Json ns(double seconds) { return finite(seconds * ns_per_second); }

Json scored_to_json(const Scored& row) {
  return {{"file", row.file},
          {"row", row.row},
          {"machine", row.machine},
          {"predicted_ns", ns(row.prediction.saving)},
          {"predicted_ci_ns", {ns(row.prediction.interval.low), ns(row.prediction.interval.high)}},
          {"measured_ns", ns(row.check.saving)},
          {"measured_ci_ns", {ns(row.check.interval.low), ns(row.check.interval.high)}},
          {"error", finite(row.check.error)},
          {"meets", row.check.meets},
          {"inside", row.check.inside},
          {"mostly", row.mostly},
          {"explained", finite(row.prediction.explained)},
          {"counted_ns", ns(results::counted_saving(row.prediction))},
          {"elsewhere_share", row.elsewhere ? finite(row.elsewhere->share) : Json(nullptr)}};
}

std::string_view word(Trust trust) {
  if (trust == Trust::too_few) return "too few";
  return trust == Trust::yes ? "yes" : "no";
}

}  // namespace

std::string trust_text(const Scorecard& card) {
  const auto held = fmt::format("{} of {} intervals that promise {} held the truth", card.all.met,
                                card.all.rows, percent(promised_coverage));
  switch (card.trust()) {
    case Trust::too_few:
      return fmt::format("There are too few predictions to say whether to trust them: {}, but {} are needed.",
                         held, fewest_predictions);
    case Trust::no:
      return fmt::format("Do not trust the predictions here: {}, {}; below {} the promise is broken. {}",
                         held, percent(card.all.coverage()), percent(least_coverage), why_text(card));
    case Trust::yes:
      break;
  }
  return fmt::format("The intervals keep their promise here: {}, {}. {}", held, percent(card.all.coverage()),
                     why_text(card));
}

std::string scorecard_text(const Scorecard& card, const Style& style) {
  std::string out;
  if (card.all.rows > 0) out += score_table(card, style) + "\n";
  const auto ink = card.trust() == Trust::no ? Ink::red : Ink::plain;
  auto trust = indented("", trust_text(card), 0, style);
  trust.pop_back();
  out += inked(trust, ink, style) + "\n";
  if (card.all.met < card.all.rows) out += "\n  Misses, which are kept as they are\n";
  for (const auto& row : card.rows)
    if (row.missed()) out += miss_text(row, style);
  if (!card.without.empty() || card.unmeasured > 0)
    out += "\n  Without a prediction, or without a measurement\n";
  for (const auto& [reason, rows] : card.without)
    out += indented(fmt::format("  {:>4}", rows), reason, 8, style);
  if (card.unmeasured > 0)
    out += indented(fmt::format("  {:>4}", card.unmeasured), "predicted, and the rounds gave no interval", 8,
                    style);
  return out;
}

Json scorecard_to_json(const Scorecard& card) {
  Json json;
  json["schema"] = "tuneproof.scorecard";
  json["schema_version"] = {{"major", 1}, {"minor", 3}};
  json["promised_coverage"] = promised_coverage;
  json["least_coverage"] = least_coverage;
  json["trust"] = word(card.trust());
  json["why"] = trust_text(card);
  json["all"] = score_to_json(card.all);
  json["machines"] = Json::array();
  for (const auto& machine : card.machines) json["machines"].push_back(score_to_json(machine));
  json["kinds"] = Json::array();
  for (const auto& kind : card.kinds) json["kinds"].push_back(score_to_json(kind));
  json["sources"] = Json::array();
  for (const auto& source : card.sources) json["sources"].push_back(score_to_json(source));
  json["rivals"] = Json::array();
  for (const auto& [rule, predictions] : card.rivals)
    json["rivals"].push_back({{"rule", score_to_json(rule)}, {"predictions", score_to_json(predictions)}});
  json["rows"] = Json::array();
  for (const auto& row : card.rows) json["rows"].push_back(scored_to_json(row));
  json["without"] = Json::array();
  for (const auto& [reason, rows] : card.without)
    json["without"].push_back({{"reason", reason}, {"rows", rows}});
  json["unmeasured"] = card.unmeasured;
  return json;
}

}  // namespace harness::predict
