#include "harness/core/same_answer.hpp"

#include <bit>
#include <charconv>
#include <cmath>

namespace harness::inline core {
namespace {

constexpr std::string_view wrong_answers = "wrong answers";

/// The shortest text that is this number and no other.
std::string text(double value) {
  char digits[32];
  return {digits, std::to_chars(digits, std::end(digits), value).ptr};
}

/// Two significant digits.
std::string about(double value) {
  char digits[32];
  return {digits, std::to_chars(digits, std::end(digits), value, std::chars_format::general, 2).ptr};
}

/// "0x0f".
std::string hexadecimal(std::byte value) {
  constexpr std::string_view digits = "0123456789abcdef";
  const auto number = std::to_integer<unsigned>(value);
  return std::string("0x") + digits[number / 16] + digits[number % 16];
}

std::string sizes_disagree(std::size_t naive, std::size_t optimized, const std::string& unit) {
  return "the sides disagree: " + std::to_string(naive) + " " + unit + " and " + std::to_string(optimized) +
         " " + unit;
}

void require_same_bytes(const std::vector<std::byte>& naive, const std::vector<std::byte>& optimized) {
  if (naive.size() != optimized.size())
    throw Disagreement(sizes_disagree(naive.size(), optimized.size(), "bytes"));
  const auto [at, other] = std::ranges::mismatch(naive, optimized);
  if (at != naive.end())
    throw Disagreement("the sides disagree at byte " + std::to_string(at - naive.begin()) + " of " +
                       std::to_string(naive.size()) + ": " + hexadecimal(*at) + " and " +
                       hexadecimal(*other));
}

void require_same_numbers(const std::vector<float>& naive, const std::vector<float>& optimized,
                          const Tolerance& tolerance) {
  if (naive.size() != optimized.size())
    throw Disagreement(sizes_disagree(naive.size(), optimized.size(), "numbers"));
  double scale = 0;
  for (const auto v : naive) scale = std::max(scale, std::abs(static_cast<double>(v)));
  for (std::size_t i = 0; i < naive.size(); ++i) {
    const double a = naive[i];
    const double b = optimized[i];
    if (!std::isfinite(a) || !std::isfinite(b))
      throw Disagreement("number " + std::to_string(i) + " is not finite: " + text(a) + " and " + text(b));
    const bool same = tolerance.relative == 0 ? std::bit_cast<std::uint32_t>(naive[i]) ==
                                                    std::bit_cast<std::uint32_t>(optimized[i])
                                              : std::abs(a - b) <= tolerance.relative * scale;
    if (!same)
      throw Disagreement("the sides disagree at number " + std::to_string(i) + " of " +
                         std::to_string(naive.size()) + ": " + text(a) + " and " + text(b) + ", " +
                         about(scale > 0 ? std::abs(a - b) / scale : 0) + " of the largest; " +
                         (tolerance.relative == 0 ? "the step promises equal bits"
                                                  : about(tolerance.relative) + " is allowed"));
  }
}

}  // namespace

void require_same(const Answer& naive, const Answer& optimized, const Tolerance& tolerance) {
  if (naive.index() != optimized.index())
    throw Disagreement("the sides disagree: one gave bytes, the other numbers");
  if (const auto* bytes = std::get_if<std::vector<std::byte>>(&naive)) {
    if (bytes->empty()) throw Disagreement("neither side gave an answer to compare");
    require_same_bytes(*bytes, std::get<std::vector<std::byte>>(optimized));
    return;
  }
  const auto& numbers = std::get<std::vector<float>>(naive);
  if (numbers.empty()) throw Disagreement("neither side gave an answer to compare");
  require_same_numbers(numbers, std::get<std::vector<float>>(optimized), tolerance);
}

bool is_same(const Answer& a, const Answer& b, const Tolerance& tolerance) {
  try {
    require_same(a, b, tolerance);
    return true;
  } catch (const Disagreement&) {
    return false;
  }
}

Figure figure_of(const WrongAnswers& wrong) {
  return {std::string(wrong_answers) + " of " + std::to_string(wrong.tries), "",
          static_cast<double>(wrong.naive), 0};
}

bool mistake_hidden(const std::vector<Figure>& figures) {
  return std::ranges::any_of(figures, [](const Figure& figure) {
    return figure.name.starts_with(wrong_answers) && figure.naive == 0;
  });
}

}  // namespace harness::inline core
