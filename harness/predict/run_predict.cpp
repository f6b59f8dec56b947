#include "harness/predict/run_predict.hpp"

#include "harness/predict/count_forms.hpp"
#include "harness/profile/trace_file.hpp"
#include "harness/results/prediction.hpp"
#include "harness/run/rounds.hpp"

#include <fmt/format.h>

#include <utility>

namespace harness::predict {
namespace {

results::Prediction prediction_of(const results::Row& row, const PriceBook& prices) {
  if (!row.profile) return results::no_prediction("could not profile the row: " + row.reason);
  const auto why_not = results::unpredictable(row);
  if (!why_not.empty()) return results::no_prediction(why_not);
  try {
    return predict(count_forms(row.profile->forms), prices);
  } catch (const BadInput& error) {
    return results::no_prediction(std::string("cannot read its trace: ") + error.what());
  }
}

bool is_waiting(const results::Row& row) {
  return !results::is_error(row) && !row.prediction && row.measured.log_ratios.empty();
}

}  // namespace

std::optional<int> predict_rows(results::Results& results, const PriceBook& prices,
                                const profile::ProfileOrder& order, run::RunOutput& output,
                                SignalWatch& signals) {
  const profile::ScratchFolder scratch(order.out);
  for (auto& row : results.rows) {
    if (output.abandoned()) break;
    if (!is_waiting(row)) continue;
    output.say("predicting " + row.name);
    auto assignment = order.assignment;
    assignment.rows = {run::place_of(row)};
    assignment.job.profile->folder = scratch.path().string();
    results::Row profiled;
    const run::Reports reports{.begun = [](const std::string&) {},
                               .ended = [&](results::Row ended) { profiled = std::move(ended); },
                               .said = [&](const std::string& line) { output.say(line); },
                               .stop = [] { return false; }};
    if (const auto signal = run::Supervisor(assignment, reports, signals).run().signal) return signal;
    row.prediction = prediction_of(profiled, prices);
    output.store(results);
  }
  return std::nullopt;
}

}  // namespace harness::predict
