#include "harness/pages/typed_answer.hpp"

#include "harness/support/plain_words.hpp"
#include "harness/support/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cmath>

namespace harness::pages {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

using Words = std::pair<std::string_view, std::string_view>;

/// What names two of a regime's answers at once, and the question that tells them apart.
constexpr Words too_wide[] = {
    {"gpu", "Compute-bound or memory-bound? "},
    {"device", "Compute-bound or memory-bound? "},
    {"cpu", "Which kind: does the CPU load data, or call operators? "},
    {"host", "Which kind: does the CPU load data, or call operators? "},
};

/// What may stand behind a factor, and the word that the question must have for it; empty: any question.
constexpr Words behind_factor[] = {
    {"", ""},
    {"asfast", "fast"},
    {"faster", "fast"},
    {"slower", "slower"},
    {"aslong", "slower"},
    {"longer", "slower"},
    {"smaller", "smaller"},
    {"less", "smaller"},
};

constexpr std::string_view number_words[] = {"one",   "two",   "three", "four", "five",   "six",
                                             "seven", "eight", "nine",  "ten",  "eleven", "twelve"};

/// The number that the text begins with, and what follows it.
std::optional<std::pair<double, std::string_view>> number_at_start(std::string_view text) {
  for (std::size_t i = 0; i < std::size(number_words); ++i) {
    const auto word = number_words[i];
    if (text.starts_with(word) && (text.size() == word.size() || text[word.size()] == ' '))
      return std::pair(static_cast<double>(i + 1), text.substr(word.size()));
  }
  double value = 0;
  const auto* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  if (read.ec != std::errc() || !std::isfinite(value) || value <= 0) return std::nullopt;
  return std::pair(value, std::string_view(read.ptr, end));
}

/// "81,3" -> "81.3", "10,000" -> "10000": a comma stands before three digits of a group, or is a point.
std::string without_commas(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto digits = text.substr(i + 1).find_first_not_of("0123456789");
    const bool group = std::min(digits, text.size() - i - 1) == 3 && !plain.starts_with('0');
    if (text[i] != ',')
      plain += text[i];
    else if (!group)
      plain += '.';
  }
  return plain;
}

/// The number that the text begins with, about or not, and what follows it without blanks.
std::optional<std::pair<double, std::string>> leading_number(std::string_view typed) {
  const auto text = without_commas(plain_answer(typed));
  std::string_view number = text;
  for (const std::string_view about : {"about ", "around ", "approximately ", "roughly ", "~ ", "~"})
    if (number.starts_with(about)) {
      number.remove_prefix(about.size());
      break;
    }
  const auto found = number_at_start(number);
  if (!found) return std::nullopt;
  const auto value = found->first;
  std::string rest(found->second);
  std::erase_if(rest, is_blank);
  return std::pair(value, rest);
}

/// People call an operator "aten::item", "item", "loss.item()" or "torch.Tensor.item".
std::string operator_name(std::string_view name) {
  constexpr std::string_view home = "aten::";
  if (name.ends_with("()")) name.remove_suffix(2);
  name.remove_prefix(name.rfind('.') + 1);
  if (name.starts_with(home)) name.remove_prefix(home.size());
  return std::string(name);
}

bool names_match(std::vector<std::string> given, std::vector<std::string> right) {
  for (auto* names : {&given, &right})
    for (auto& name : *names) name = operator_name(name);
  std::ranges::sort(given);
  std::ranges::sort(right);
  return given == right;
}

/// The letters of an order without what stands between them: "b-e-d", "B, E, D", "b > e > d".
std::string letters_of(std::string_view typed) {
  auto letters = plain_answer(typed);
  std::erase_if(letters, [](char c) { return std::string_view(" ,;->").find(c) != std::string_view::npos; });
  return letters;
}

bool is_unit_of(const CourseUnit& unit, std::string_view rest) {
  if (unit.check == AnswerCheck::share) return rest.empty() || rest == "%" || rest == "percent";
  if (rest.starts_with("times"))
    rest.remove_prefix(5);
  else if (rest.starts_with('x'))
    rest.remove_prefix(1);
  else if (rest == "fold" || rest == "-fold")
    rest = "";
  const auto* const found = std::ranges::find(behind_factor, rest, &Words::first);
  return found != std::ranges::end(behind_factor) && unit.ask.find(found->second) != std::string::npos;
}

bool asks_for_names(const CourseUnit& unit) {
  return unit.check == AnswerCheck::top || unit.check == AnswerCheck::waits;
}

/// The first word that the trace does not have; empty where it has all, or its names are not known.
std::string unknown_name(const CourseUnit& unit, std::string_view typed, const Truth& truth) {
  if (!asks_for_names(unit) || truth.known.empty()) return {};
  for (const auto& word : typed_words(typed))
    if (std::ranges::none_of(truth.known,
                             [&](const auto& name) { return names_match({word}, {plain_answer(name)}); }))
      return word;
  return {};
}

bool lies_within(std::optional<double> number, const CourseUnit& unit) {
  return number && *number >= unit.least && *number <= unit.most;
}

}  // namespace

std::string single_spaced(std::string_view typed) {
  std::string text;
  for (const char c : typed) {
    if (!is_blank(c))
      text += c;
    else if (!text.empty() && text.back() != ' ')
      text += ' ';
  }
  if (text.ends_with(' ')) text.pop_back();
  return text;
}

std::string plain_answer(std::string_view typed) {
  auto plain = single_spaced(typed);
  for (char& c : plain)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return plain;
}

std::optional<std::string> chosen_of(std::string_view typed, const std::vector<std::string>& choices) {
  const auto words = words_of(typed);
  if (words.empty()) return std::nullopt;
  std::optional<std::string> meant;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (words.size() == 1 && words[0] == std::to_string(i + 1)) return choices[i];
    const auto has = [own = words_of(choices[i])](const std::string& word) {
      return std::ranges::any_of(own, [&](const std::string& other) { return other.starts_with(word); });
    };
    if (!std::ranges::all_of(words, has)) continue;
    if (meant) return std::nullopt;
    meant = choices[i];
  }
  return meant;
}

std::optional<double> typed_number(std::string_view typed, const CourseUnit& unit) {
  const auto number = leading_number(typed);
  if (!number || !is_unit_of(unit, number->second)) return std::nullopt;
  return number->first;
}

std::optional<double> typed_seconds(std::string_view typed) {
  const auto number = leading_number(typed);
  if (!number) return std::nullopt;
  for (const auto& [unit, seconds] : {std::pair{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1.0}})
    if (number->second == unit) return number->first * seconds;
  return std::nullopt;
}

std::vector<std::string> typed_words(std::string_view typed) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : plain_answer(typed) + " ") {
    if (c != ' ' && c != ',') {
      word += c;
      continue;
    }
    if (!word.empty() && std::ranges::find(words, word) == words.end()) words.push_back(word);
    word.clear();
  }
  return words;
}

bool within(double a, double b, double factor) {
  return a > 0 && b > 0 && std::max(a / b, b / a) <= factor * (1 + 1e-9);
}

bool is_answer(const CourseUnit& unit, std::string_view typed, const Truth& truth) {
  if (!unit.answers.empty()) return chosen_of(typed, unit.answers).has_value();
  if (is_number(unit.check)) return lies_within(typed_number(typed, unit), unit);
  if (unit.check == AnswerCheck::price) return lies_within(typed_seconds(typed), unit);
  if (!unknown_name(unit, typed, truth).empty()) return false;
  const auto words = typed_words(typed);
  if (unit.check == AnswerCheck::top) return words.size() == static_cast<std::size_t>(unit.count);
  if (unit.check != AnswerCheck::order) return words.size() == 1;
  const auto letters = letters_of(typed);
  return letters.size() == unit.order.size() && std::ranges::is_permutation(letters, unit.order);
}

bool is_right(const CourseUnit& unit, std::string_view typed, const Truth& truth) {
  if (!unit.answers.empty()) return chosen_of(typed, unit.answers) == truth.names.at(0);
  if (is_number(unit.check)) {
    const auto number = typed_number(typed, unit).value_or(0);
    const bool between = truth.between && number >= truth.between->low && number <= truth.between->high;
    return between || within(number, truth.number, unit.near);
  }
  if (unit.check == AnswerCheck::price)
    return within(typed_seconds(typed).value_or(0), truth.number, unit.near);
  if (unit.check == AnswerCheck::waits)
    return std::ranges::any_of(truth.names,
                               [&](const auto& name) { return names_match(typed_words(typed), {name}); });
  if (unit.check != AnswerCheck::order) return names_match(typed_words(typed), truth.names);
  return letters_of(typed) == truth.names.at(0);
}

std::string partly_right(const CourseUnit& unit, std::string_view typed, const Truth& truth) {
  if (unit.check != AnswerCheck::top) return {};
  const auto right = std::ranges::count_if(typed_words(typed), [&](const std::string& word) {
    return std::ranges::any_of(truth.names, [&](const auto& name) { return names_match({word}, {name}); });
  });
  return fmt::format("{} of {} names {} right.", right, unit.count, right == 1 ? "is" : "are");
}

std::string asked_back(const CourseUnit& unit, std::string_view typed, const Truth& truth) {
  if (const auto word = unknown_name(unit, typed, truth); !word.empty())
    return fmt::format("The report has no '{}'. ", printable(word));
  if (unit.check != AnswerCheck::regime) return {};
  for (const auto& word : words_of(typed))
    for (const auto& [wide, question] : too_wide)
      if (word == wide) return std::string(question);
  return {};
}

std::string expected_answer(const CourseUnit& unit) {
  if (!unit.answers.empty())
    return fmt::format("{} or {}", fmt::join(unit.answers.begin(), unit.answers.end() - 1, ", "),
                       unit.answers.back());
  if (is_number(unit.check)) return "a number from " + unit.range;
  if (unit.check == AnswerCheck::price) return "a time with its unit, from " + unit.range;
  if (unit.check == AnswerCheck::order) return fmt::format("each of {} letters once", unit.order.size());
  return unit.check == AnswerCheck::top ? fmt::format("{} names", unit.count) : std::string("one name");
}

std::string accepted_answers(const CourseUnit& unit) {
  if (unit.check == AnswerCheck::share)
    return fmt::format("This asks for {} (percent): 2.5, two, about 2 %.", expected_answer(unit));
  if (is_number(unit.check))
    return fmt::format("This asks for {} (a factor): 2.5, two, 2x, about 2 times.", expected_answer(unit));
  if (unit.check == AnswerCheck::price)
    return fmt::format("This asks for {}: 50 us, 0.05 ms, about 50 us.", expected_answer(unit));
  if (asks_for_names(unit))
    return fmt::format("This asks for {} as the report has it, with or without aten:: in front.",
                       expected_answer(unit));
  if (unit.answers.empty())
    return fmt::format("This asks for {}, with or without blanks or commas between.", expected_answer(unit));
  return fmt::format("This asks for {}: in full, by some of its words, or by its number from 1 on.",
                     expected_answer(unit));
}

}  // namespace harness::pages
