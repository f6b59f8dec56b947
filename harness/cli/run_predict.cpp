#include "harness/cli/run_predict.hpp"

#include "harness/predict/count_forms.hpp"
#include "harness/profile/trace_file.hpp"
#include "harness/record/prediction.hpp"
#include "harness/worker/rounds.hpp"

#include <fmt/format.h>

#include <utility>

namespace harness {
namespace {

Prediction prediction_of(const Row& row, const PriceBook& prices) {
  if (!row.profile) return no_prediction("it could not be profiled: " + row.reason);
  const auto why_not = unpredictable(row);
  if (!why_not.empty()) return no_prediction(why_not);
  try {
    return predict(count_forms(row.profile->forms), prices);
  } catch (const BadInput& error) {
    return no_prediction(std::string("its trace cannot be read: ") + error.what());
  }
}

bool is_waiting(const Row& row) {
  return !is_error(row) && !row.prediction && row.measured.log_ratios.empty();
}

}  // namespace

std::optional<int> predict_rows(Results& results, const PriceBook& prices, const ProfileOrder& order,
                                RunOutput& output, SignalWatch& signals) {
  const ScratchFolder scratch(order.out);
  for (auto& row : results.rows) {
    if (output.abandoned()) break;
    if (!is_waiting(row)) continue;
    output.say("predicting " + row.name);
    auto assignment = order.assignment;
    assignment.rows = {place_of(row)};
    assignment.job.profile->folder = scratch.path().string();
    Row profiled;
    const Reports reports{.begun = [](const std::string&) {},
                          .ended = [&](Row ended) { profiled = std::move(ended); },
                          .said = [&](const std::string& line) { output.say(line); },
                          .stop = [] { return false; }};
    if (const auto signal = Foreman(assignment, reports, signals).run().signal) return signal;
    row.prediction = prediction_of(profiled, prices);
    output.store(results);
  }
  return std::nullopt;
}

}  // namespace harness
