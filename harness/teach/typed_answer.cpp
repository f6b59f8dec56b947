#include "harness/teach/typed_answer.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace harness::teach {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/// The number that the text begins with, and what follows it without blanks.
std::optional<std::pair<double, std::string>> leading_number(std::string_view typed) {
  const auto text = plain_answer(typed);
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc() || !std::isfinite(value) || value <= 0) return std::nullopt;
  std::string rest(read.ptr, text.data() + text.size());
  std::erase_if(rest, is_blank);
  return std::pair(value, rest);
}

}  // namespace

std::string plain_answer(std::string_view typed) {
  std::string plain;
  for (const char c : typed) {
    if (is_blank(c)) {
      if (!plain.empty() && plain.back() != ' ') plain += ' ';
      continue;
    }
    plain += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  if (plain.ends_with(' ')) plain.pop_back();
  return plain;
}

std::optional<std::string> chosen_of(std::string_view typed, const std::vector<std::string>& choices) {
  const auto plain = plain_answer(typed);
  if (plain.empty()) return std::nullopt;
  std::optional<std::string> meant;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (plain == plain_answer(choices[i]) || plain == std::to_string(i + 1)) return choices[i];
    if (!plain_answer(choices[i]).starts_with(plain)) continue;
    if (meant) return std::nullopt;  // it begins two of them
    meant = choices[i];
  }
  return meant;
}

std::optional<double> typed_number(std::string_view typed) {
  const auto number = leading_number(typed);
  if (!number) return std::nullopt;
  const auto& [value, unit] = *number;
  const bool known = unit.empty() || unit == "x" || unit == "times" || unit == "%";
  return known ? std::optional(value) : std::nullopt;
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

}  // namespace harness::teach
