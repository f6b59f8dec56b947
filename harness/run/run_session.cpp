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

std::string probe_text(const RunArguments& arguments, const Selection& selection,
                       const catalogue::Program& program) {
  const bool none =
      selection.device.automatic ? !cuda_driver_installed() : !selection.device.device.is_cuda();
  if (arguments.dry_run && none) return R"({"cuda": {"status": "no device", "message": "no CUDA device"}})";
  return ask_probe(program.worker, selection.device.device);
}

}  // namespace

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
  auto plan = plan_limits(arguments);
  plan.session = results.session;
  plan.selection.device = {false, parse_device(plan.session.device)};
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

WorkerPlan worker_plan_of(const RunPlan& plan, const std::filesystem::path& worker,
                          const std::filesystem::path& loader) {
  const auto& session = plan.session;
  return {.worker = {worker, {"--measure"}, worker_environment(session.threads)},
          .task = {.seed = session.seed,
                   .data_seed = session.data_seed,
                   .device = plan.selection.device.device,
                   .threads = session.threads,
                   .options = session.options,
                   .loader = loader},
          .row_timeout = plan.timeout};
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
  require_use(plan.session.options, select_rows(catalogue, selection), catalogue);
  if (program.options.resolve != nullptr) program.options.resolve(plan.session.options);
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
  results::Results results{
      .session = plan.session, .fingerprint = std::move(fingerprint), .rounds = {}, .rows = std::move(rows)};
  auto& session = results.session;
  session.id = uuid();
  session.started = utc_now();
  session.device = to_string(plan.selection.device.device);
  session.alpha = session_alpha;
  session.commit = commit;
  for (const auto& row : results.rows) session.rows.push_back(row.name);
  return results;
}

}  // namespace harness::run
