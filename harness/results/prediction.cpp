#include "harness/results/prediction.hpp"

namespace harness::results {

std::optional<PredictionCheck> check_prediction(const Row& row) {
  if (!row.prediction || !row.prediction->reason.empty()) return std::nullopt;
  const auto& ratio = row.judged.ratio_interval;
  if (!ratio || !(row.naive_seconds > 0) || !unpredictable(row).empty()) return std::nullopt;
  const auto& predicted = *row.prediction;
  PredictionCheck check;
  check.saving = row.naive_seconds * (1 - row.judged.ratio);
  check.interval = {row.naive_seconds * (1 - ratio->high), row.naive_seconds * (1 - ratio->low)};
  check.error = (predicted.saving - check.saving) / row.naive_seconds;
  const auto& [low, high] = predicted.interval;
  check.meets = low <= check.interval.high && check.interval.low <= high;
  check.inside = low <= check.saving && check.saving <= high;
  return check;
}

std::string unpredictable(const Row& row) {
  return row.measured.statistic == Statistic::median ? "" : "the row is not judged by its time";
}

}  // namespace harness::results
