#include "harness/pages/truth.hpp"

#include "harness/pages/typed_answer.hpp"
#include "harness/results/results.hpp"
#include "harness/run/row_view.hpp"
#include "harness/run/table_row.hpp"
#include "harness/support/quantity.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace harness::pages {
namespace {

std::vector<trace::OpRow> operators_by_device(const trace::Diagnosis& diagnosis) {
  auto rows = diagnosis.ops.rows;
  std::erase_if(
      rows, [](const trace::OpRow& row) { return row.device_row || row.range || row.self_device_us <= 0; });
  std::ranges::stable_sort(rows, std::ranges::greater(), &trace::OpRow::self_device_us);
  return rows;
}

Truth top_of(const CourseUnit& unit, const trace::Diagnosis& diagnosis) {
  Truth truth;
  const auto rows = operators_by_device(diagnosis);
  std::vector<std::string> parts;
  for (const auto& row : rows) {
    if (truth.names.size() == static_cast<std::size_t>(unit.count)) break;
    truth.names.push_back(plain_answer(row.name));
    parts.push_back(fmt::format("{} {}", row.name, time_text(row.self_device_us / 1e6)));
  }
  truth.said = fmt::format("Self CUDA: {}", fmt::join(parts, ", "));
  return truth;
}

Truth share_of(const trace::Diagnosis& diagnosis) {
  const auto rows = operators_by_device(diagnosis);
  if (rows.empty() || diagnosis.ops.self_device_us <= 0) return {.missing = "the trace has no device time"};
  const auto share = 100 * rows.front().self_device_us / diagnosis.ops.self_device_us;
  return {.said = fmt::format("{} has {:.1f} % of Self CUDA", rows.front().name, share), .number = share};
}

/// Who asked for the wait that an operator around it explains; a wait at the end of a step has no caller.
Truth waits_of(const CourseUnit& unit, const trace::Diagnosis& diagnosis) {
  const auto named =
      std::ranges::find_if(diagnosis.host.waits, [](const trace::Wait& wait) { return !wait.op.empty(); });
  if (named == diagnosis.host.waits.end()) return {.missing = "no operator in the trace waits"};
  Truth truth{.said = fmt::format("{} waits in {} for {} in {} calls", named->op, named->call,
                                  time_text(named->us / 1e6), named->count),
              .names = {plain_answer(named->op)}};
  for (const auto& name : unit.also) truth.names.push_back(plain_answer(name));
  return truth;
}

std::string why_not_told(const results::Row& row) {
  if (!row.judged.flags.empty()) return fmt::format("{}", fmt::join(run::reasons_of(row.judged), "; "));
  return "this run could not have shown a change below " + effect_text(row.judged.smallest_effect);
}

/// How many times as fast, or how many times less of what the row is judged by, and between which bounds.
void add_factor(const results::Row& row, Truth& truth) {
  truth.number = 1 / row.judged.ratio;
  truth.said += fmt::format(" ({} times {}", plain_text(truth.number),
                            row.measured.statistic == Statistic::figure ? "less" : "as fast");
  if (const auto& interval = row.judged.ratio_interval; interval && interval->low > 0) {
    truth.between = {1 / interval->high, 1 / interval->low};
    truth.said +=
        fmt::format("; between {} and {}", plain_text(truth.between->low), plain_text(truth.between->high));
  }
  truth.said += ")";
}

}  // namespace

Truth truth_of(const CourseUnit& unit, const results::Row& row) {
  if (results::is_error(row)) return {.missing = fmt::format("{}: {}", run::word_of(row), row.reason)};
  Truth truth{.said =
                  fmt::format("{} -> {}, {}: {}", run::judged_text(row, row.naive_seconds),
                              run::judged_text(row, results::shown_optimized(row)),
                              change_text(row.judged.ratio, row.judged.ratio_interval), run::word_of(row))};
  if (unit.check == AnswerCheck::naive) {  // asks for no verdict: that one is not told
    truth.said = fmt::format("{} -> {}", run::judged_text(row, row.naive_seconds),
                             run::judged_text(row, row.optimized_seconds));
    truth.number = row.naive_seconds;
    return truth;
  }
  const bool decided = is_decided(row.judged.verdict);
  if (unit.check == AnswerCheck::factor) add_factor(row, truth);
  if (!decided && !truth.between)
    return {.missing = truth.said + "; " + why_not_told(row), .undecided = true};
  if (!decided) truth.said += "; not decided: " + why_not_told(row);
  if (unit.check == AnswerCheck::factor) return truth;
  truth.names = {std::string(run::word_of(row))};
  return truth;
}

Truth truth_of(const CourseUnit& unit, double seconds) {
  return {.said = fmt::format("{} costs {}", unit.price, time_text(seconds)), .number = seconds};
}

namespace {

/// Every name that a learner reads in the report: operators, kernels, ranges, and the calls that wait.
std::vector<std::string> names_in(const CourseUnit& unit, const trace::Diagnosis& diagnosis) {
  auto names = unit.also;
  for (const auto& row : diagnosis.ops.rows) names.push_back(row.name);
  for (const auto& wait : diagnosis.host.waits) names.insert(names.end(), {wait.op, wait.call});
  return names;
}

Truth judged_truth_of(const CourseUnit& unit, const trace::Diagnosis& diagnosis) {
  switch (unit.check) {
    case AnswerCheck::top:
      return top_of(unit, diagnosis);
    case AnswerCheck::share:
      return share_of(diagnosis);
    case AnswerCheck::waits:
      return waits_of(unit, diagnosis);
    default:
      break;
  }
  return {
      .said = fmt::format("{}: {}", trace::to_string(diagnosis.verdict.regime), diagnosis.verdict.evidence),
      .names = {std::string(trace::to_string(diagnosis.verdict.regime))}};
}

}  // namespace

Truth truth_of(const CourseUnit& unit, const trace::Diagnosis& diagnosis) {
  auto truth = judged_truth_of(unit, diagnosis);
  truth.known = names_in(unit, diagnosis);
  return truth;
}

Truth order_of(const CourseUnit& unit) { return {.said = unit.order, .names = {unit.order}}; }

}  // namespace harness::pages
