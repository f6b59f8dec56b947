#include "harness/run/run_resume.hpp"

#include "harness/support/duration.hpp"

#include <algorithm>

namespace harness::run {
namespace {

/// The way to the first value that differs: "/machine/cpu_model"; empty where none does.
std::string first_difference(const Json& one, const Json& other, const std::string& path = {}) {
  if (!one.is_object() || !other.is_object()) return one == other ? std::string() : path;
  for (const auto& [name, value] : one.items()) {
    auto below = path + "/" + name;
    if (!other.contains(name)) return below;
    if (auto found = first_difference(value, other[name], below); !found.empty()) return found;
  }
  for (const auto& [name, value] : other.items())
    if (!one.contains(name)) return path + "/" + name;
  return {};
}

Json value_at(const Json& json, const std::string& path) {
  return json.value(Json::json_pointer(path), Json());
}

}  // namespace

results::Results read_interrupted(const RunArguments& arguments) {
  const bool other_plan =
      !arguments.patterns.empty() || !arguments.suite.empty() || !arguments.seed.empty() ||
      !arguments.json.empty() || !arguments.points.empty() || arguments.device != "auto" ||
      arguments.threads != 0 || arguments.looks != 1 || arguments.pairs != 1 || arguments.dry_run ||
      std::ranges::any_of(arguments.options, [](const auto& option) { return !option.second.empty(); });
  if (other_plan)
    throw BadInput(
        "--resume takes the plan from its file; you may add only --budget, --timeout and --profile");
  if (arguments.resume.ends_with(".gz"))
    throw BadInput(arguments.resume + ": cannot resume a packed file; run gunzip on it first");
  auto results = results::read_results(arguments.resume, results::StandIn::allow);
  if (results.session.rows.empty())
    throw BadInput(arguments.resume + ": cannot resume this file: it has no plan of its rows");
  return results;
}

RunPlan plan_of(const results::Results& results, const RunArguments& arguments) {
  const auto& session = results.session;
  RunPlan plan;
  plan.selection.device = {false, parse_device(session.device)};
  if (!arguments.budget.empty()) plan.budget = parse_duration(arguments.budget, "--budget");
  plan.timeout = parse_duration(arguments.timeout, "--timeout");
  plan.seed = session.seed;
  plan.data_seed = session.data_seed;
  plan.threads = session.threads;
  plan.looks = session.looks;
  plan.pairs = session.pairs;
  plan.options = session.options;
  if (arguments.profile)
    plan.profile = results::parse_schedule(arguments.profile_schedule, "--profile-schedule", rung_schedule);
  return plan;
}

void require_same_place(const results::Results& results, const results::Fingerprint& here,
                        const BuildInfo& build, const std::string& file) {
  if (results.session.commit != build.commit)
    throw BadInput(file + ": cannot resume this file: tuneproof began it at commit " +
                   results.session.commit + ", and this program is commit " + std::string(build.commit));
  const auto path = first_difference(results.fingerprint.hard, here.hard);
  if (!path.empty())
    throw BadInput(file + ": cannot resume this file here: " + path.substr(1) + " was " +
                   value_at(results.fingerprint.hard, path).dump() + " and is now " +
                   value_at(here.hard, path).dump());
}

}  // namespace harness::run
