#include "harness/worker/worker_modes.hpp"

#include "harness/core/canary.hpp"
#include "harness/machine/heap.hpp"
#include "harness/run/task.hpp"
#include "harness/support/field.hpp"
#include "harness/support/parent.hpp"
#include "harness/worker/measure_row.hpp"
#include "harness/worker/parent_pipe.hpp"

#include <cstdio>
#include <fcntl.h>
#include <iostream>
#include <iterator>
#include <sys/resource.h>

namespace harness::worker {
namespace {

void emit(const run::WorkerEvent& event) { tell_parent(run::event_to_json(event)); }

/// The canaries of one worker.
class Canaries {
 public:
  Canaries(Bench& bench, std::span<const run::StepAt> rows) {
    const auto cuda = std::ranges::find_if(rows, [](const auto& row) { return row.device.is_cuda(); });
    if (cuda == rows.end()) return;
    clocks_ = &bench.clocks_of(cuda->device);
    near_ = [&bench, device = cuda->device] { return bench.stay_near(device); };
    const auto near = near_();
    gpu_ = bench.around->canary(*bench.around->stream_for(cuda->device));
  }
  void sing() {
    heard_.canary_seconds.push_back(canary_seconds());
    if (!gpu_) return;
    const auto near = near_();
    const auto times = gpu_();
    heard_.gpu_canary_seconds.push_back(times.compute);
    heard_.copy_canary_seconds.push_back(times.copy);
    // Right behind work, since an idle device has slowed its clocks down for no other reason.
    if (const auto events = clocks_->now()) heard_.slowdowns = heard_.slowdowns.value_or(0) | *events;
  }
  results::Disturbance heard() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    heard_.involuntary_switches = usage.ru_nivcsw;
    return heard_;
  }

 private:
  std::function<DeviceCanary()> gpu_;
  std::function<std::unique_ptr<const StayOn>()> near_;
  const ClockEvents* clocks_ = nullptr;
  results::Disturbance heard_;
};

std::vector<run::StepAt> find_rows(const run::Task& task, Steps steps) {
  std::vector<run::StepAt> found;
  for (const auto& row : task.rows) found.push_back(run::find_row(steps, row.name, task.device.index));
  return found;
}

void measure_all(const run::Task& task, Steps steps, const Ground& ground) {
  std::optional<InstructionCount> instructions;  // before LibTorch starts threads
  if (task.count) instructions.emplace(*task.count);
  Bench bench(task, ground);
  if (instructions) bench.instructions = &*instructions;
  if (task.memory && fcntl(memory_fd, F_SETFD, FD_CLOEXEC) == 0) bench.setup.session_memory = memory_fd;
  const auto out_of_time = [&] {
    const std::chrono::duration<double> used = std::chrono::steady_clock::now() - bench.begin;
    return task.budget_seconds && used.count() >= *task.budget_seconds;
  };
  const auto rows = find_rows(task, steps);
  Canaries canaries(bench, rows);
  if (task.round) canaries.sing();
  for (std::size_t i = 0; i < rows.size() && !out_of_time(); ++i) {
    if (task.round && i > 0 && i == rows.size() / 2) canaries.sing();
    emit(run::RowBegun{task.rows[i].name});
    const auto walked = [&](int done, int of) { emit(run::PassWalked{task.rows[i].name, done, of}); };
    const auto row = measure_row(rows[i], bench, task, task.rows[i], walked);
    emit(run::RowEnded{row});
    if (!bench.in_doubt) continue;
    emit(run::WorkerEnded{canaries.heard()});
    leave();  // a fresh process takes the rows that are left
  }
  if (task.round) canaries.sing();
  emit(run::WorkerEnded{canaries.heard()});
}

}  // namespace

int measure_mode(Steps steps, const Ground& ground) {
  if (!keep_events_to_ourselves()) return 1;
  try {
    const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
    const auto task = run::task_from_json(text);
    end_with_parent(task.parent);
    keep_freed_memory();
    measure_all(task, steps, ground);
    leave();
  } catch (const BadInput& error) {
    emit(run::InputRejected{error.what()});
  }
  return 1;
}

int probe_mode(const Device& device, const BuildInfo& build, const Ground& ground) {
  Json json;
  json["protocol"] = run::worker_protocol;
  json["build"] = {{"version", build.version},
                   {"commit", build.commit},
                   {"build_type", build.build_type},
                   {"compiler", build.compiler},
                   {"flags", build.flags}};
  json.update(ground.facts(device, build));
  return std::puts(json.dump().c_str()) < 0 ? 1 : 0;
}

}  // namespace harness::worker
