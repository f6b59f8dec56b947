#include "prices/pace.hpp"

#include "harness/machine/host.hpp"
#include "harness/run/run_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace prices {
namespace {

bool is_much(std::optional<double> other) { return other.value_or(0) > harness::busy_share; }

}  // namespace

Pace::Pace(int rows, double seconds_of_a_row) : rows_(rows), seconds_of_a_row_(seconds_of_a_row) {
  constexpr double wrong_by_half = 1.5, shortest = 3, interval = 30;
  next_ = std::clamp(wrong_by_half * rows * seconds_of_a_row, shortest, interval);
}

std::string Pace::forecast(std::optional<double> other) const {
  const auto seconds = std::ceil(rows_ * seconds_of_a_row_);
  auto text =
      fmt::format("{} price{}, about {}", rows_, rows_ == 1 ? "" : "s", harness::run::duration_text(seconds));
  if (is_much(other))
    text += fmt::format(
        " on a quiet machine; {} now: wait until they have ended, or it takes longer, and the prices are not "
        "to be trusted",
        harness::other_programs_text(*other, "take"));
  return text;
}

std::string Pace::row_ended(double elapsed, std::optional<double> other) {
  constexpr double interval = 30;
  ++ended_;
  if (elapsed < next_ || ended_ >= rows_) return {};
  next_ = elapsed + interval;
  const auto left = harness::run::seconds_left({.expected_total = rows_ * seconds_of_a_row_,
                                                .expected_done = ended_ * seconds_of_a_row_,
                                                .elapsed = elapsed});
  auto text = fmt::format("{} of {} prices in {}, about {} left", ended_, rows_,
                          harness::run::duration_text(elapsed), harness::run::duration_text(left));
  if (is_much(other)) text += "; " + harness::other_programs_text(*other);
  return text;
}

}  // namespace prices
