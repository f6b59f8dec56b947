#include "harness/results/round.hpp"

#include "harness/results/row_json.hpp"

#include <cmath>
#include <limits>

namespace harness::results {
namespace {

Json all_nanoseconds(const std::vector<double>& seconds) {
  Json json = Json::array();
  for (const auto s : seconds) json.push_back(nanoseconds(s));
  return json;
}

std::vector<double> all_seconds(const Field& json) {
  std::vector<double> seconds;
  for (const auto& entry : json.entries()) seconds.push_back(seconds_from(entry));
  return seconds;
}

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

Json disturbance_to_json(const Disturbance& disturbance) {
  Json json;
  json["involuntary_switches"] = disturbance.involuntary_switches;
  json["canary_ns"] = all_nanoseconds(disturbance.canary_seconds);
  json["gpu_canary_ns"] = all_nanoseconds(disturbance.gpu_canary_seconds);
  json["copy_canary_ns"] = all_nanoseconds(disturbance.copy_canary_seconds);
  json["slowdowns"] = disturbance.slowdowns ? Json(*disturbance.slowdowns) : Json(nullptr);
  return json;
}

Disturbance disturbance_from_json(const Field& json) {
  Disturbance disturbance;
  disturbance.involuntary_switches =
      json["involuntary_switches"].integer(0, std::numeric_limits<std::int64_t>::max());
  disturbance.canary_seconds = all_seconds(json["canary_ns"]);
  disturbance.gpu_canary_seconds = all_seconds(json["gpu_canary_ns"]);
  disturbance.copy_canary_seconds = all_seconds(json["copy_canary_ns"]);
  if (json.has("slowdowns")) disturbance.slowdowns = json["slowdowns"].unsigned_integer();
  return disturbance;
}

Json round_to_json(const Round& round) {
  Json json;
  json["round"] = round.round;
  json["start_seconds"] = finite(round.start);
  json["seconds"] = finite(round.seconds);
  json["workers"] = round.workers;
  json["steal_seconds"] = finite(round.steal_seconds);
  if (round.other_cpu) json["other_cpu_share"] = finite(*round.other_cpu);
  json.update(disturbance_to_json(round.disturbance));
  return json;
}

Round round_from_json(const Field& json) {
  Round round;
  round.round = static_cast<int>(json["round"].integer(0, most_rounds));
  round.start = json["start_seconds"].number();
  round.seconds = json["seconds"].number();
  round.workers = static_cast<int>(json["workers"].integer(0, most_rounds));
  round.steal_seconds = json["steal_seconds"].number();
  if (json.has("other_cpu_share")) round.other_cpu = json["other_cpu_share"].number();
  round.disturbance = disturbance_from_json(json);
  return round;
}

}  // namespace harness::results
