#include "harness/teach/truth.hpp"

#include "harness/results/results.hpp"
#include "harness/run/table.hpp"
#include "harness/run/verdict_text.hpp"
#include "harness/support/number.hpp"
#include "harness/teach/answer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace harness::teach {
namespace {

bool tells(Verdict verdict) {
  return verdict == Verdict::helps || verdict == Verdict::no_effect || verdict == Verdict::hurts;
}

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

/// Who asked for the wait that an operator around it explains; the end of a step is nobody's.
Truth waits_of(const trace::Diagnosis& diagnosis) {
  const auto named =
      std::ranges::find_if(diagnosis.host.waits, [](const trace::Wait& wait) { return !wait.op.empty(); });
  if (named == diagnosis.host.waits.end()) return {.missing = "no operator in the trace waits"};
  return {.said = fmt::format("{} waits in {} for {} in {} calls", named->op, named->call,
                              time_text(named->us / 1e6), named->count),
          .names = {plain_answer(named->op)}};
}

bool names_match(std::vector<std::string> given, std::vector<std::string> right) {
  std::ranges::sort(given);
  std::ranges::sort(right);
  return given == right;
}

std::string why_not_told(const results::Row& row) {
  if (!row.judged.flags.empty()) return fmt::format("{}", fmt::join(row.judged.flags, "; "));
  return "this run could not have shown less than " + effect_text(row.judged.smallest_effect);
}

bool is_number(AnswerCheck check) {
  return check == AnswerCheck::naive || check == AnswerCheck::factor || check == AnswerCheck::share;
}

}  // namespace

Truth truth_of(const CourseUnit& unit, const results::Row& row) {
  if (results::is_error(row)) return {.missing = fmt::format("{}: {}", run::verdict_text(row), row.reason)};
  Truth truth{.said = fmt::format("{} -> {}, {}: {}", run::judged_text(row, row.naive_seconds),
                                  run::judged_text(row, row.optimized_seconds),
                                  change_text(row.judged.ratio, row.judged.ratio_interval),
                                  run::verdict_text(row))};
  if (unit.check == AnswerCheck::naive) {  // asks for no verdict: that one is not told
    truth.said = fmt::format("{} -> {}", run::judged_text(row, row.naive_seconds),
                             run::judged_text(row, row.optimized_seconds));
    truth.number = row.naive_seconds;
  }
  if (unit.check == AnswerCheck::factor) {
    truth.number = 1 / row.judged.ratio;
    truth.said += fmt::format(" ({:.3g} times as fast)", truth.number);
  }
  if (unit.check != AnswerCheck::verdict) return truth;
  if (!tells(row.judged.verdict)) return {.missing = truth.said + "; " + why_not_told(row)};
  truth.names = {std::string(run::verdict_text(row))};
  return truth;
}

Truth truth_of(const CourseUnit& unit, double seconds) {
  return {.said = fmt::format("{} costs {}", unit.price, time_text(seconds)), .number = seconds};
}

Truth truth_of(const CourseUnit& unit, const trace::Diagnosis& diagnosis) {
  switch (unit.check) {
    case AnswerCheck::top:
      return top_of(unit, diagnosis);
    case AnswerCheck::share:
      return share_of(diagnosis);
    case AnswerCheck::waits:
      return waits_of(diagnosis);
    default:
      break;
  }
  return {
      .said = fmt::format("{}: {}", trace::to_string(diagnosis.verdict.regime), diagnosis.verdict.evidence),
      .names = {std::string(trace::to_string(diagnosis.verdict.regime))}};
}

Truth order_of(const CourseUnit& unit) { return {.said = unit.order, .names = {unit.order}}; }

bool is_answer(const CourseUnit& unit, std::string_view typed) {
  if (!unit.answers.empty()) return chosen_of(typed, unit.answers).has_value();
  if (is_number(unit.check)) return typed_number(typed).has_value();
  if (unit.check == AnswerCheck::price) return typed_seconds(typed).has_value();
  const auto words = typed_words(typed);
  if (unit.check == AnswerCheck::top) return words.size() == static_cast<std::size_t>(unit.count);
  if (unit.check != AnswerCheck::order) return words.size() == 1;
  auto letters = plain_answer(typed);
  std::erase_if(letters, [](char c) { return c == ' ' || c == ','; });
  return letters.size() == unit.order.size() && std::ranges::is_permutation(letters, unit.order);
}

bool is_right(const CourseUnit& unit, std::string_view typed, const Truth& truth) {
  if (!unit.answers.empty()) return chosen_of(typed, unit.answers) == truth.names.at(0);
  if (is_number(unit.check)) return within(typed_number(typed).value_or(0), truth.number, unit.near);
  if (unit.check == AnswerCheck::price)
    return within(typed_seconds(typed).value_or(0), truth.number, unit.near);
  if (unit.check != AnswerCheck::order) return names_match(typed_words(typed), truth.names);
  auto letters = plain_answer(typed);
  std::erase_if(letters, [](char c) { return c == ' ' || c == ','; });
  return letters == truth.names.at(0);
}

std::string expected_answer(const CourseUnit& unit) {
  if (!unit.answers.empty())
    return fmt::format("{} or {}", fmt::join(unit.answers.begin(), unit.answers.end() - 1, ", "),
                       unit.answers.back());
  if (is_number(unit.check)) return "a number above 0";
  if (unit.check == AnswerCheck::price) return "a time with its unit, such as 50 us";
  if (unit.check == AnswerCheck::order) return fmt::format("each of {} letters once", unit.order.size());
  return unit.check == AnswerCheck::top ? fmt::format("{} names", unit.count) : std::string("one name");
}

}  // namespace harness::teach
