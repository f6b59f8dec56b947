#include "harness/results/prediction.hpp"

#include "harness/results/row_json.hpp"

#include <algorithm>
#include <cmath>

namespace harness::results {
namespace {

constexpr double ns_per_second = 1e9;

Json ns(double seconds) { return finite(seconds * ns_per_second); }
Json ns(const Interval& interval) { return {ns(interval.low), ns(interval.high)}; }
double seconds(const Field& field) { return field.number() / ns_per_second; }

Interval seconds_between(const Field& json) {
  const auto [low, high] = json.rising_pair();
  return {low / ns_per_second, high / ns_per_second};
}

Json check_to_json(const PredictionCheck& check) {
  return {{"saving_ns", ns(check.saving)},
          {"ci_ns", ns(check.interval)},
          {"error", finite(check.error)},
          {"meets", check.meets},
          {"inside", check.inside}};
}

Json removed_to_json(const RemovedWork& work) {
  return {{"what", work.what},
          {"count", finite(work.count)},
          {"amount", finite(work.amount)},
          {"saving_ns", ns(work.seconds)},
          {"ci_ns", ns(work.interval)}};
}

RemovedWork removed_from_json(const Field& json) {
  return {.what = json["what"].text(),
          .count = json["count"].number(),
          .amount = json["amount"].number(),
          .seconds = seconds(json["saving_ns"]),
          .interval = seconds_between(json["ci_ns"])};
}

Json elsewhere_to_json(const Elsewhere& elsewhere) {
  return {{"machine", elsewhere.machine},
          {"started", elsewhere.started},
          {"share", finite(elsewhere.share)},
          {"counted_ns", ns(elsewhere.counted)}};
}

Elsewhere elsewhere_from_json(const Field& json) {
  return {.machine = row_name_from(json["machine"]),
          .started = json["started"].text(),
          .share = share_from(json["share"]),
          .counted = seconds(json["counted_ns"])};
}

}  // namespace

double share_from(const Field& json) {
  const auto share = json.number();
  if (!(share <= 1) || !std::isfinite(share)) json.reject("expected a share of at most 1");
  return share;
}

bool is_replayed(const Prediction& prediction) {
  return std::ranges::any_of(prediction.removes, [](const auto& work) { return work.what == run_again; });
}

std::optional<PredictionCheck> check_prediction(const Row& row) {
  if (!row.prediction || !row.prediction->reason.empty()) return std::nullopt;
  const auto& ratio = row.judged.ratio_interval;
  if (!ratio || !(row.naive_seconds > 0) || !unpredictable(row).empty()) return std::nullopt;
  const auto& predicted = *row.prediction;
  PredictionCheck check;
  check.form = predicted.below > 0 ? predicted.below : row.naive_seconds;
  check.saving = check.form * (1 - row.judged.ratio);
  check.interval = {check.form * (1 - ratio->high), check.form * (1 - ratio->low)};
  check.error = (predicted.saving - check.saving) / check.form;
  const auto& [low, high] = predicted.interval;
  check.meets = low <= check.interval.high && check.interval.low <= high;
  check.inside = low <= check.saving && check.saving <= high;
  return check;
}

std::string unpredictable(const Row& row) {
  return row.measured.statistic == Statistic::median ? "" : "the row is not judged by its time";
}

Json prediction_to_json(const Row& row) {
  const auto& prediction = *row.prediction;
  Json json;
  if (!prediction.reason.empty()) json["reason"] = prediction.reason;
  if (prediction.reason.empty()) {
    json["saving_ns"] = ns(prediction.saving);
    json["ci_ns"] = ns(prediction.interval);
  }
  if (prediction.below > 0) {
    json["hidden_ns"] = ns(prediction.hidden);
    json["explained"] = finite(prediction.explained);
    json["below_ns"] = ns(prediction.below);
  }
  json["removes"] = Json::array();
  for (const auto& work : prediction.removes) json["removes"].push_back(removed_to_json(work));
  if (!prediction.prices_taken.empty()) json["prices_taken"] = prediction.prices_taken;
  if (prediction.earlier_rows > 0) json["earlier_rows"] = prediction.earlier_rows;
  if (prediction.elsewhere) json["elsewhere"] = elsewhere_to_json(*prediction.elsewhere);
  if (const auto check = check_prediction(row)) json["measured"] = check_to_json(*check);
  return json;
}

Prediction prediction_from_json(const Field& json) {
  Prediction prediction;
  if (json.has("reason")) prediction.reason = json["reason"].text();
  if (prediction.reason.empty()) {
    prediction.saving = seconds(json["saving_ns"]);
    prediction.interval = seconds_between(json["ci_ns"]);
  }
  if (json.has("below_ns")) {
    prediction.hidden = seconds(json["hidden_ns"]);
    prediction.explained = json["explained"].number();
    prediction.below = seconds(json["below_ns"]);
  }
  for (const auto& work : json["removes"].entries()) prediction.removes.push_back(removed_from_json(work));
  if (json.has("prices_taken")) prediction.prices_taken = json["prices_taken"].text();
  if (json.has("earlier_rows"))
    prediction.earlier_rows = static_cast<int>(json["earlier_rows"].integer(0, 1'000'000));
  if (json.has("elsewhere")) prediction.elsewhere = elsewhere_from_json(json["elsewhere"]);
  return prediction;
}

}  // namespace harness::results
