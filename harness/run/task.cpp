#include "harness/run/task.hpp"

#include "harness/results/row_json.hpp"
#include "harness/support/field.hpp"

#include <limits>
#include <utility>

namespace harness::run {
namespace {

Json encode(const RowBegun& event) { return {{"event", "begin"}, {"row", event.row}}; }
Json encode(const PassWalked& event) {
  return {{"event", "pass"}, {"row", event.row}, {"done", event.done}, {"of", event.of}};
}
Json encode(const RowEnded& event) { return {{"event", "row"}, {"row", results::row_to_json(event.row)}}; }
Json encode(const InputRejected& event) { return {{"event", "bad_input"}, {"message", event.message}}; }
Json encode(const WorkerEnded& event) {
  return {{"event", "end"}, {"disturbance", results::disturbance_to_json(event.disturbance)}};
}

constexpr int believed_pairs = 1000;
constexpr double most_slow = 100;

Json rows_to_json(const std::vector<results::Row>& rows) {
  Json json = Json::array();
  for (const auto& row : rows)
    json.push_back({{"name", row.name},
                    {"iterations", row.measured.iterations},
                    {"optimized_iterations", row.measured.optimized_iterations},
                    {"calibrations", row.measured.calibrations},
                    {"pairs", row.measured.pairs}});
  return json;
}

/// A row has iterations once it was rehearsed.
results::Row row_from(const Field& json, bool rehearsed) {
  results::Row row;
  row.name = json["name"].text();
  row.measured.iterations =
      json["iterations"].integer(rehearsed ? 1 : 0, std::numeric_limits<std::int64_t>::max());
  row.measured.optimized_iterations =
      json["optimized_iterations"].integer(0, std::numeric_limits<std::int64_t>::max());
  row.measured.calibrations = results::calibrations_from_json(json["calibrations"]);
  row.measured.pairs = static_cast<int>(json["pairs"].integer(1, believed_pairs));
  return row;
}

Device device_from(const Field& field) {
  try {
    return parse_device(field.text());
  } catch (const std::invalid_argument& error) {
    field.reject(error.what());
  }
}

Json plan_to_json(const ProfilePlan& plan) {
  auto forms = Json::array();
  for (const auto form : plan.forms) forms.push_back(to_string(form));
  return {
      {"schedule", results::to_string(plan.schedule)}, {"forms", std::move(forms)}, {"folder", plan.folder}};
}

ProfilePlan plan_from_json(const Field& json) {
  ProfilePlan plan{
      results::parse_schedule(json["schedule"].text(), "schedule", {}), {}, json["folder"].text()};
  for (const auto& form : json["forms"].texts())
    plan.forms.push_back(form == to_string(Form::naive) ? Form::naive : Form::optimized);
  return plan;
}

Json plant_to_json(const Plant& plant) {
  return {{"same_forms", plant.same_forms},
          {"slow_naive", plant.slow_naive},
          {"slow_optimized", plant.slow_optimized}};
}

double share_from(const Field& field) {
  const auto share = field.number();
  if (!(share >= 0 && share <= most_slow)) field.reject("expected a share from 0 to 100");
  return share;
}

Plant plant_from_json(const Field& json) {
  return {json["same_forms"].boolean(), share_from(json["slow_naive"]), share_from(json["slow_optimized"])};
}

}  // namespace

std::string event_to_json(const WorkerEvent& event) {
  const auto json = std::visit([](const auto& which) { return encode(which); }, event);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

WorkerEvent event_from_json(std::string_view line) {
  constexpr int most = 1'000'000;
  const auto document = parse_json(line, "event");
  const Field json(document, "event");
  const auto kind = json["event"].text();
  if (kind == "begin") return RowBegun{json["row"].text()};
  if (kind == "pass")
    return PassWalked{json["row"].text(), static_cast<int>(json["done"].integer(0, most)),
                      static_cast<int>(json["of"].integer(1, most))};
  if (kind == "row") return RowEnded{results::row_from_json(json["row"])};
  if (kind == "bad_input") return InputRejected{json["message"].text()};
  if (kind == "end") return WorkerEnded{results::disturbance_from_json(json["disturbance"])};
  json["event"].reject("'" + kind + "' is not an event");
}

std::string task_to_json(const Task& task) {
  Json json;
  json["seed"] = task.seed;
  json["data_seed"] = task.data_seed;
  json["device"] = to_string(task.device);
  json["threads"] = task.threads;
  json["options"] = Json::object();
  for (const auto& [name, value] : task.options) json["options"][name] = value;
  json["round"] = task.round ? Json(*task.round) : Json(nullptr);
  json["budget_seconds"] = task.budget_seconds ? finite(*task.budget_seconds) : Json(nullptr);
  json["rows"] = rows_to_json(task.rows);
  if (task.profile) json["profile"] = plan_to_json(*task.profile);
  if (task.plant != Plant{}) json["plant"] = plant_to_json(task.plant);
  if (task.count) json["count"] = *task.count;
  if (!task.calls.empty()) json["calls"] = task.calls;
  json["loader"] = task.loader;
  json["memory"] = task.memory;
  json["parent"] = task.parent;
  return json.dump() + "\n";
}

Task task_from_json(std::string_view text) {
  const auto document = parse_json(text, "task");
  const Field json(document, "task");
  Task task;
  task.seed = json["seed"].unsigned_integer();
  task.data_seed = json.has("data_seed") ? json["data_seed"].unsigned_integer() : task.seed;
  task.device = device_from(json["device"]);
  task.threads = static_cast<int>(json["threads"].integer(1, 100'000));
  for (const auto& [name, value] : json["options"].members()) task.options[name] = value.text();
  if (json.has("round")) task.round = static_cast<int>(json["round"].integer(0, most_rounds));
  if (json.has("budget_seconds")) task.budget_seconds = json["budget_seconds"].number();
  for (const auto& row : json["rows"].entries()) task.rows.push_back(row_from(row, task.round.has_value()));
  if (json.has("profile")) task.profile = plan_from_json(json["profile"]);
  if (json.has("plant")) task.plant = plant_from_json(json["plant"]);
  if (json.has("count")) task.count = json["count"].text();
  if (json.has("calls")) task.calls = json["calls"].text();
  task.loader = json["loader"].text();
  task.memory = json["memory"].boolean();
  task.parent = static_cast<int>(json["parent"].integer(0, std::numeric_limits<int>::max()));
  return task;
}

}  // namespace harness::run
