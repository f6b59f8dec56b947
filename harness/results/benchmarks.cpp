#include "harness/results/benchmarks.hpp"

#include "harness/results/samples_json.hpp"

#include <cmath>
#include <map>

namespace harness::results {
namespace {

/// Sums over the slots of one form in one round.
struct Sum {
  double seconds = 0;
  double cpu_seconds = 0;
  int slots = 0;
};

Json benchmark_row(const Row& row, Form form, const Sum& sum, int round) {
  const auto name = row.name + "/variant:" + std::string(to_string(form));
  const auto seconds = sum.seconds / sum.slots;
  Json json;
  json["name"] = name;
  json["run_name"] = name;
  json["family_index"] = 0;
  json["per_family_instance_index"] = form == Form::naive ? 0 : 1;
  json["run_type"] = "iteration";
  json["repetitions"] = row.measured.log_ratios.size();
  json["repetition_index"] = round;
  json["threads"] = 1;  // copies of the benchmark, in Google Benchmark's sense; ours are in `session`
  json["iterations"] = row.measured.iterations;
  json["real_time"] = nanoseconds(seconds);
  json["cpu_time"] = std::round(sum.cpu_seconds / sum.slots * 1e12) / 1e3;
  json["time_unit"] = "ns";
  if (row.measured.bytes_moved > 0)
    json["bytes_per_second"] = static_cast<double>(row.measured.bytes_moved) / seconds;
  return json;
}

bool is_debug(const Fingerprint& fingerprint) {
  return fingerprint.hard.value("/software/build_type"_json_pointer, Json("Release")) == "Debug";
}

}  // namespace

Json benchmark_context(const Results& results) {
  const auto& info = results.fingerprint.info;
  const auto from_info = [&](const char* key, const Json& otherwise) {
    return info.contains(key) ? info[key] : otherwise;
  };
  Json json;
  json["date"] = results.session.started;
  json["host_name"] = from_info("host_name", "");
  json["executable"] = "tuneproof";
  json["num_cpus"] = from_info("num_cpus", 1);
  json["mhz_per_cpu"] = from_info("mhz_per_cpu", 0);
  json["cpu_scaling_enabled"] = from_info("cpu_scaling_enabled", false);
  json["caches"] = Json::array();
  json["load_avg"] = from_info("load_avg", Json::array());
  json["library_build_type"] = is_debug(results.fingerprint) ? "debug" : "release";
  json["json_schema_version"] = 1;
  json["tuneproof_schema"] =
      "tuneproof.results/" + std::to_string(results_major) + "." + std::to_string(results_minor);
  json["fingerprint_id"] = results.fingerprint.id.empty() ? Json(nullptr) : Json(results.fingerprint.id);
  return json;
}

Json benchmark_rows(const std::vector<Row>& rows) {
  Json json = Json::array();
  int family = 0;
  for (const auto& row : rows) {
    if (is_error(row) || row.measured.statistic != Statistic::median) continue;  // no times
    std::map<std::pair<Form, int>, Sum> sums;
    for (const auto& sample : row.measured.samples) {
      auto& sum = sums[{sample.form, sample.round}];
      sum.seconds += sample.seconds;
      sum.cpu_seconds += sample.cpu_seconds;
      ++sum.slots;
    }
    for (const auto& [key, sum] : sums) {
      if (!std::isfinite(sum.seconds) || !std::isfinite(sum.cpu_seconds) || sum.seconds <= 0) continue;
      json.push_back(benchmark_row(row, key.first, sum, key.second));
      json.back()["family_index"] = family;
    }
    ++family;
  }
  return json;
}

}  // namespace harness::results
