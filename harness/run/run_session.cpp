#include "harness/run/run_session.hpp"

#include "harness/machine/nvml.hpp"
#include "harness/run/open_rows.hpp"
#include "harness/run/select.hpp"
#include "harness/run/worker_runner.hpp"
#include "harness/support/quantity.hpp"
#include "harness/support/read_text.hpp"
#include "harness/support/terminal.hpp"

#include <fmt/format.h>

#include <fstream>

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

/// A fresh one from the kernel; empty where /proc is not mounted.
std::string uuid() {
  std::ifstream in("/proc/sys/kernel/random/uuid");
  std::string text;
  in >> text;
  return text;
}

results::Session new_session(const RunPlan& plan, std::string_view commit) {
  return {.id = uuid(),
          .started = utc_now(),
          .seed = plan.seed,
          .data_seed = plan.data_seed,
          .suite = std::string(suite_names.at(static_cast<std::size_t>(plan.selection.suite))),
          .device = to_string(plan.selection.device.device),
          .threads = plan.threads,
          .looks = plan.looks,
          .early = plan.early,
          .allotted = plan.allotted,
          .alpha = session_alpha,
          .units = "fresh-process",
          .pairs = plan.pairs,
          .pairs_by_share = plan.pairs_by_share,
          .rows = {},
          .options = plan.options,
          .commit = std::string(commit)};
}

std::string probe_text(const RunArguments& arguments, const Selection& selection,
                       const catalogue::Program& program) {
  const bool none =
      selection.device.automatic ? !cuda_driver_installed() : !selection.device.device.is_cuda();
  if (arguments.dry_run && none) return R"({"cuda": {"status": "no device", "message": "no CUDA device"}})";
  return ask_probe(program.worker, selection.device.device);
}

}  // namespace

void require_interrupted(const RunArguments& arguments) {
  const bool other_plan =
      !arguments.patterns.empty() || !arguments.suite.empty() || !arguments.seed.empty() ||
      !arguments.json.empty() || !arguments.points.empty() || arguments.device != "auto" ||
      arguments.threads != 0 || arguments.looks != 0 || arguments.pairs != 0 || arguments.dry_run ||
      std::ranges::any_of(arguments.options, [](const auto& option) { return !option.second.empty(); });
  if (other_plan)
    throw BadInput(
        "--resume takes the plan from its file; you may add only --budget, --timeout and --profile");
  require_resumable(arguments.resume);
}

void require_resumable(const std::string& file) {
  if (file.ends_with(".gz")) throw BadInput(file + ": cannot resume a packed file; run gunzip on it first");
  require_regular_file(file);
}

results::Results read_interrupted(const RunArguments& arguments) {
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
  plan.early = session.early;
  plan.allotted = session.allotted;
  plan.pairs = session.pairs;
  plan.pairs_by_share = session.pairs_by_share;
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

bool note_other_card(results::Fingerprint& fingerprint, const results::Fingerprint& here) {
  auto& info = fingerprint.info;
  const auto uuid = here.info.value("gpu_uuid", Json());
  const auto before =
      info.contains("resumed_on") ? info["resumed_on"].back() : info.value("gpu_uuid", Json());
  if (!uuid.is_string() || !before.is_string() || uuid == before) return false;
  info["resumed_on"].push_back(uuid);
  return true;
}

int restart_open_rows(results::Results& results) {
  int restarted = 0;
  for (const auto i : open_rows(results)) {
    auto& row = results.rows[i];
    if (!row.device.is_cuda() || row.measured.log_ratios.empty()) continue;
    row.measured = {};
    row.rounds = 0;
    ++restarted;
  }
  return restarted;
}

Task task_of(const RunPlan& plan) {
  Task task;
  task.seed = plan.seed;
  task.data_seed = plan.data_seed;
  task.device = plan.selection.device.device;
  task.threads = plan.threads;
  task.options = plan.options;
  return task;
}

bool accept_device(Selection& selection, const RunArguments& arguments, const Probe& probe) {
  selection.has_cuda = probe.status == CudaStatus::ok;
  if (selection.has_cuda || selection.device.automatic || !selection.device.device.is_cuda()) return true;
  tell(fmt::format("--device {}: {}", arguments.device,
                   probe.message.empty() ? "no CUDA device" : probe.message));
  return false;
}

std::vector<results::Row> planned_rows(const catalogue::Catalogue& catalogue, const Selection& selection,
                                       const Probe& probe) {
  auto rows = select_rows(catalogue, selection);
  for (auto& row : rows)
    if (is_error(row) && selection.device.automatic && !probe.message.empty()) row.reason = probe.message;
  return rows;
}

std::optional<Opening> open_session(RunPlan& plan, const RunArguments& arguments,
                                    const catalogue::Program& program,
                                    const catalogue::Catalogue& catalogue) {
  auto& selection = plan.selection;
  require_use(plan.options, select_rows(catalogue, selection), catalogue);
  if (program.options.resolve != nullptr) program.options.resolve(plan.options);
  Opening opening{.probe_text = probe_text(arguments, selection, program), .probe = {}, .rows = {}};
  opening.probe = parse_probe(opening.probe_text);
  if (!accept_device(selection, arguments, opening.probe)) return std::nullopt;
  opening.rows = planned_rows(catalogue, selection, opening.probe);
  if (selection.device.automatic && selection.has_cuda) selection.device.device = {Device::Kind::cuda, 0};
  return opening;
}

void skip_what_options_exclude(std::vector<results::Row>& rows, const Options& options,
                               const catalogue::OptionReader& reader) {
  if (reader.why_not == nullptr) return;
  for (auto& row : rows)
    if (auto reason = is_error(row) ? std::string() : reader.why_not(options, row.step); !reason.empty())
      skip(row, std::move(reason));
}

results::Results new_results(const RunPlan& plan, std::vector<results::Row> rows,
                             results::Fingerprint fingerprint, std::string_view commit) {
  results::Results results{.session = new_session(plan, commit),
                           .fingerprint = std::move(fingerprint),
                           .rounds = {},
                           .rows = std::move(rows)};
  for (const auto& row : results.rows) results.session.rows.push_back(row.name);
  return results;
}

}  // namespace harness::run
