#include "harness/teach/check_answer.hpp"

#include "harness/teach/typed_answer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

namespace harness::teach {
namespace {

bool names_match(std::vector<std::string> given, std::vector<std::string> right) {
  std::ranges::sort(given);
  std::ranges::sort(right);
  return given == right;
}

bool is_number(AnswerCheck check) {
  return check == AnswerCheck::naive || check == AnswerCheck::factor || check == AnswerCheck::share;
}

}  // namespace

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
