#include "harness/run/task.hpp"

#include "harness/results/row_json.hpp"
#include "harness/support/json_members.hpp"

#include <limits>

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

/// What a worker reads of a row; it has iterations once it was rehearsed.
constexpr auto asked_row = [](bool rehearsed) {
  return by<results::Row>([rehearsed](auto& each, auto& row) {
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    auto& measured = row.measured;
    each("name", row.name);
    each("iterations", measured.iterations, whole(rehearsed ? 1 : 0, most));
    each("optimized_iterations", measured.optimized_iterations, whole(0, most));
    each("calibrations", measured.calibrations, results::as_calibrations);
    each("pairs", measured.pairs, whole(1, believed_pairs));
  });
};

constexpr auto profile_plan_members = [](auto& each, auto& plan) {
  each("schedule", plan.schedule, results::as_schedule);
  each("forms", plan.forms, list_of(results::as_form));
  each("folder", plan.folder);
};

double share_from(const Field& field) {
  const auto share = field.number();
  if (!(share >= 0 && share <= most_slow)) field.reject("expected a share from 0 to 100");
  return share;
}

constexpr auto plant_members = [](auto& each, auto& plant) {
  constexpr auto share = checked_by(share_from);
  each("same_forms", plant.same_forms);
  each("slow_naive", plant.slow_naive, share);
  each("slow_optimized", plant.slow_optimized, share);
};

constexpr auto task_members = [](auto& each, auto& task) {
  each("seed", task.seed);
  each("data_seed", task.data_seed);
  each("device", task.device, as_device);
  each("threads", task.threads, whole(1, 100'000));
  each("options", task.options);
  each("round", task.round, whole(0, most_rounds));
  each("budget_seconds", task.budget_seconds);
  each("rows", task.rows, list_of(asked_row(task.round.has_value())));
  each.if_any("profile", task.profile, by<ProfilePlan>(profile_plan_members));
  each.if_any("plant", task.plant, by<Plant>(plant_members));
  each.if_any("count", task.count);
  each.if_any("calls", task.calls);
  each("loader", task.loader);
  each("memory", task.memory);
  each("parent", task.parent, whole(0, std::numeric_limits<int>::max()));
};

}  // namespace

std::string event_to_json(const WorkerEvent& event) {
  const auto json = std::visit([](const auto& which) { return encode(which); }, event);
  return one_line(json) + "\n";
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

std::string task_to_json(const Task& task) { return json_by(task_members, task).dump() + "\n"; }

Task task_from_json(std::string_view text) {
  const auto document = parse_json(text, "task");
  return read_by<Task>(task_members, Field(document, "task"));
}

}  // namespace harness::run
