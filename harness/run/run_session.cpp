#include "harness/run/run_session.hpp"

#include "harness/machine/cuda_driver.hpp"
#include "harness/run/ask.hpp"
#include "harness/support/utc_time.hpp"

#include <fmt/format.h>

#include <fstream>
#include <string>

namespace harness::run {
namespace {

/// A fresh one from the kernel; empty where /proc is not mounted.
std::string uuid() {
  std::ifstream in("/proc/sys/kernel/random/uuid");
  std::string text;
  in >> text;
  return text;
}

}  // namespace

results::Session new_session(const RunPlan& plan, const Device& device, const BuildInfo& build) {
  return {.id = uuid(),
          .started = utc_now(),
          .seed = plan.seed,
          .data_seed = plan.data_seed,
          .suite = plan.selection.suite == Suite::quick ? "quick" : "full",
          .device = to_string(device),
          .threads = plan.threads,
          .looks = plan.looks,
          .alpha = session_alpha,
          .units = "fresh-process",
          .pairs = plan.pairs,
          .rows = {},
          .options = plan.options,
          .commit = std::string(build.commit)};
}

results::Row blank_row(const PlannedRow& planned) {
  results::Row row;
  row.name = planned.row->name;
  row.step = planned.step->id;
  row.at = planned.row->at;
  row.device = planned.device;
  row.expected = planned.row->expected;
  row.published = planned.step->published;
  row.delta = planned.step->delta;
  return row;
}

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

std::vector<PlannedRow> planned_rows(const catalogue::Catalogue& catalogue, const Selection& selection,
                                     const Probe& probe) {
  auto rows = select_rows(catalogue, selection);
  for (auto& planned : rows)
    if (!planned.skip.empty() && selection.device.automatic && !probe.message.empty())
      planned.skip = probe.message;
  return rows;
}

void skip_what_options_exclude(std::vector<PlannedRow>& rows, const Options& options,
                               const catalogue::OptionReader& reader) {
  if (reader.why_not == nullptr) return;
  for (auto& planned : rows)
    if (planned.skip.empty()) planned.skip = reader.why_not(options, planned.step->id);
}

std::string probe_text(const RunArguments& arguments, const Selection& selection,
                       const catalogue::Program& program) {
  const bool none =
      selection.device.automatic ? !cuda_driver_installed() : !selection.device.device.is_cuda();
  if (arguments.dry_run && none) return R"({"cuda": {"status": "no device", "message": "no CUDA device"}})";
  return ask_probe(program.worker, selection.device.device);
}

}  // namespace harness::run
