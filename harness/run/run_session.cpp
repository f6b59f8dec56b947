#include "harness/run/run_session.hpp"

#include "harness/machine/cuda_driver.hpp"
#include "harness/run/ask.hpp"
#include "harness/run/first_row.hpp"
#include "harness/support/utc_time.hpp"

#include <fmt/format.h>

#include <fstream>
#include <string>
#include <utility>

namespace harness::run {
namespace {

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
          .suite = plan.selection.suite == Suite::quick ? "quick" : "full",
          .device = to_string(plan.selection.device.device),
          .threads = plan.threads,
          .looks = plan.looks,
          .alpha = session_alpha,
          .units = "fresh-process",
          .pairs = plan.pairs,
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

Job job_of(const RunPlan& plan) {
  Job job;
  job.seed = plan.seed;
  job.data_seed = plan.data_seed;
  job.device = plan.selection.device.device;
  job.threads = plan.threads;
  job.options = plan.options;
  return job;
}

bool accept_device(Selection& selection, const RunArguments& arguments, const Probe& probe) {
  selection.has_cuda = probe.status == CudaStatus::ok;
  if (selection.has_cuda || selection.device.automatic || !selection.device.device.is_cuda()) return true;
  fmt::print(stderr, "tuneproof: --device {}: {}\n", arguments.device,
             probe.message.empty() ? "no CUDA device" : probe.message);
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
