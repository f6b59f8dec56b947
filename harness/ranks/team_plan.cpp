#include "harness/ranks/team_plan.hpp"

#include "harness/core/parse_number.hpp"
#include "harness/run/meeting_place.hpp"
#include "harness/run/rank_count.hpp"

#include <algorithm>
#include <cstdint>

namespace harness::ranks {

std::chrono::milliseconds patience_for(double row_seconds) {
  constexpr std::chrono::milliseconds least{100}, most{60'000};
  const std::chrono::milliseconds third(static_cast<std::int64_t>(row_seconds * 1000 / 3));
  return std::clamp(third, least, most);
}

TeamPlan plan_of(const Setup& setup) {
  constexpr double otherwise = 300;
  TeamPlan plan;
  plan.size = run::rank_count(setup.options);
  plan.patience =
      patience_for(parse_number<double>(setup.option(std::string(row_timeout), "")).value_or(otherwise));
  plan.meeting = setup.option(run::meeting_option, "");
  if (!plan.meeting.empty()) plan.size = static_cast<int>(run::meeting_from_json(plan.meeting).nodes.size());
  return plan;
}

}  // namespace harness::ranks
