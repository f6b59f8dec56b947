#include "harness/measure/same_answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace harness {

namespace {

constexpr std::string_view wrong_answers = "wrong answers";

void require_same_bytes(const std::vector<std::byte>& naive, const std::vector<std::byte>& optimized) {
  if (naive.size() != optimized.size())
    throw Disagreement(
        fmt::format("the forms disagree: {} bytes and {} bytes", naive.size(), optimized.size()));
  const auto [at, other] = std::ranges::mismatch(naive, optimized);
  if (at != naive.end())
    throw Disagreement(fmt::format("the forms disagree at byte {} of {}: {:#04x} and {:#04x}",
                                   at - naive.begin(), naive.size(), std::to_integer<int>(*at),
                                   std::to_integer<int>(*other)));
}

void require_same_numbers(const std::vector<float>& naive, const std::vector<float>& optimized,
                          const Tolerance& tolerance) {
  if (naive.size() != optimized.size())
    throw Disagreement(
        fmt::format("the forms disagree: {} numbers and {} numbers", naive.size(), optimized.size()));
  double scale = 0;
  for (const auto v : naive) scale = std::max(scale, std::abs(static_cast<double>(v)));
  for (std::size_t i = 0; i < naive.size(); ++i) {
    const double a = naive[i];
    const double b = optimized[i];
    if (!std::isfinite(a) || !std::isfinite(b))
      throw Disagreement(fmt::format("number {} is not finite: {} and {}", i, a, b));
    const bool same = tolerance.relative == 0 ? std::bit_cast<std::uint32_t>(naive[i]) ==
                                                    std::bit_cast<std::uint32_t>(optimized[i])
                                              : std::abs(a - b) <= tolerance.relative * scale;
    if (!same)
      throw Disagreement(
          fmt::format("the forms disagree at number {} of {}: {} and {}, {:.2g} of the largest; {}", i,
                      naive.size(), a, b, scale > 0 ? std::abs(a - b) / scale : 0.0,
                      tolerance.relative == 0 ? std::string("equal bits were promised")
                                              : fmt::format("{:.2g} is allowed", tolerance.relative)));
  }
}

}  // namespace

void require_same(const Answer& naive, const Answer& optimized, const Tolerance& tolerance) {
  if (naive.index() != optimized.index())
    throw Disagreement("the forms disagree: one gave bytes, the other numbers");
  if (const auto* bytes = std::get_if<std::vector<std::byte>>(&naive)) {
    if (bytes->empty()) throw Disagreement("the forms gave no answer to compare");
    require_same_bytes(*bytes, std::get<std::vector<std::byte>>(optimized));
    return;
  }
  const auto& numbers = std::get<std::vector<float>>(naive);
  if (numbers.empty()) throw Disagreement("the forms gave no answer to compare");
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
  return {fmt::format("{} of {}", wrong_answers, wrong.tries), "", static_cast<double>(wrong.naive), 0};
}

bool mistake_hidden(const std::vector<Figure>& figures) {
  return std::ranges::any_of(figures, [](const Figure& figure) {
    return figure.name.starts_with(wrong_answers) && figure.naive == 0;
  });
}

}  // namespace harness
