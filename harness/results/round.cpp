#include "harness/results/round.hpp"

#include "harness/results/row_json.hpp"
#include "harness/support/json_members.hpp"

#include <limits>

namespace harness::results {
namespace {

constexpr auto disturbance_members = [](auto& each, auto& disturbance) {
  constexpr auto times = list_of(in_nanoseconds);
  each("involuntary_switches", disturbance.involuntary_switches,
       whole(0, std::numeric_limits<std::int64_t>::max()));
  each("canary_ns", disturbance.canary_seconds, times);
  each("gpu_canary_ns", disturbance.gpu_canary_seconds, times);
  each("copy_canary_ns", disturbance.copy_canary_seconds, times);
  each.since("slowdowns", disturbance.slowdowns);
};

constexpr auto round_members = [](auto& each, auto& round) {
  each("round", round.round, whole(0, most_rounds));
  each("start_seconds", round.start);
  each("seconds", round.seconds);
  each("workers", round.workers, whole(0, most_rounds));
  each("steal_seconds", round.steal_seconds);
  each.if_any("other_cpu_share", round.other_cpu);
  disturbance_members(each, round.disturbance);
};

}  // namespace

void add(Disturbance& all, const Disturbance& more) {
  const auto append = [](std::vector<double>& to, const std::vector<double>& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  all.involuntary_switches += more.involuntary_switches;
  append(all.canary_seconds, more.canary_seconds);
  append(all.gpu_canary_seconds, more.gpu_canary_seconds);
  append(all.copy_canary_seconds, more.copy_canary_seconds);
  if (more.slowdowns) all.slowdowns = all.slowdowns.value_or(0) | *more.slowdowns;
}

Json disturbance_to_json(const Disturbance& disturbance) { return json_by(disturbance_members, disturbance); }

Disturbance disturbance_from_json(const Field& json) {
  return read_by<Disturbance>(disturbance_members, json);
}

Json round_to_json(const Round& round) { return json_by(round_members, round); }

Round round_from_json(const Field& json) { return read_by<Round>(round_members, json); }

}  // namespace harness::results
