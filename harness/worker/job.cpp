#include "harness/worker/job.hpp"

#include "harness/record/field.hpp"

#include <limits>
#include <utility>

namespace harness {

namespace {

Json plan_to_json(const ProfilePlan& plan) {
  auto forms = Json::array();
  for (const auto form : plan.forms) forms.push_back(to_string(form));
  return {{"schedule", to_string(plan.schedule)}, {"forms", std::move(forms)}, {"folder", plan.folder}};
}

ProfilePlan plan_from_json(const Field& json) {
  ProfilePlan plan{parse_schedule(json["schedule"].text(), "schedule", {}), {}, json["folder"].text()};
  for (const auto& form : json["forms"].texts())
    plan.forms.push_back(form == to_string(Form::naive) ? Form::naive : Form::optimized);
  return plan;
}

}  // namespace

std::string job_to_json(const Job& job) {
  Json json;
  json["seed"] = job.seed;
  json["device"] = to_string(job.device);
  json["threads"] = job.threads;
  json["options"] = Json::object();
  for (const auto& [name, value] : job.options) json["options"][name] = value;
  json["looks"] = job.looks;
  json["alpha"] = job.alpha;
  json["budget_seconds"] = job.budget_seconds ? finite(*job.budget_seconds) : Json(nullptr);
  json["rows"] = job.rows;
  if (job.profile) json["profile"] = plan_to_json(*job.profile);
  json["parent"] = job.parent;
  return json.dump() + "\n";
}

Job job_from_json(std::string_view text) {
  const auto document = parse_json(text, "job");
  const Field json(document, "job");
  Job job;
  job.seed = json["seed"].unsigned_integer();
  try {
    job.device = parse_device(json["device"].text());
  } catch (const std::invalid_argument& error) {
    json["device"].reject(error.what());
  }
  job.threads = static_cast<int>(json["threads"].integer(1, 100'000));
  for (const auto& [name, value] : json["options"].members()) job.options[name] = value.text();
  job.looks.clear();
  for (const auto& look : json["looks"].entries())
    job.looks.push_back(static_cast<int>(look.integer(1, 1'000'000)));
  if (job.looks.empty()) json["looks"].reject("at least one look is expected");
  job.alpha = json["alpha"].number();
  if (!(job.alpha > 0 && job.alpha < 1)) json["alpha"].reject("a number between 0 and 1 is expected");
  if (json.has("budget_seconds")) job.budget_seconds = json["budget_seconds"].number();
  job.rows = json["rows"].texts();
  if (json.has("profile")) job.profile = plan_from_json(json["profile"]);
  job.parent = static_cast<int>(json["parent"].integer(0, std::numeric_limits<int>::max()));
  return job;
}

}  // namespace harness
