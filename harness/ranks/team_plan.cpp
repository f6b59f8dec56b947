#include "harness/ranks/team_plan.hpp"

#include "harness/core/parse_number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace harness::ranks {

TeamPlan plan_of(const Setup& setup) {
  constexpr int most_ranks = 1024;
  TeamPlan plan;
  const auto text = setup.option("ranks", std::to_string(plan.size));
  const auto size = parse_number<int>(text);
  if (!size || *size < 1 || *size > most_ranks)
    throw BadInput(
        fmt::format("--ranks '{}': expected a number of processes from 1 to {}", text, most_ranks));
  plan.size = *size;
  // A row's own sentence comes before the supervisor's, which knows no rank.
  const auto timeout = parse_number<double>(setup.option(std::string(row_timeout), "")).value_or(300);
  const auto third = std::chrono::milliseconds(static_cast<std::int64_t>(timeout * 1000 / 3));
  plan.patience = std::clamp(third, std::chrono::milliseconds(100), plan.patience);
  return plan;
}

}  // namespace harness::ranks
