#include "harness/worker/worker_modes.hpp"

#include "harness/core/canary.hpp"
#include "harness/core/measurement.hpp"
#include "harness/machine/heap.hpp"
#include "harness/run/task.hpp"
#include "harness/support/child.hpp"
#include "harness/support/field.hpp"
#include "harness/support/quantity.hpp"
#include "harness/support/terminal.hpp"
#include "harness/worker/measure_row.hpp"

#include <fmt/format.h>

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

namespace {

void print_part(int part, double seconds_per_sample) {
  fmt::print("part {}/{}: {} a sample\n", part, training_parts, time_text(seconds_per_sample));
  std::fflush(stdout);
}

/// What versus and tune read.
void print(const Trained& trained) {
  const auto seconds_of = [&](std::int64_t samples) {
    return trained.seconds_per_sample * static_cast<double>(samples);
  };
  fmt::print("sample {:.6g} s\nstep {:.6g} s, {} samples\nepoch {:.6g} s, {} samples\n",
             trained.seconds_per_sample, seconds_of(trained.batch), trained.batch, seconds_of(trained.epoch),
             trained.epoch);
  fmt::print("peak memory {}\nloss {:.6g}\n", memory_text(trained.peak_bytes), trained.loss);
}

std::string all_names(std::span<const Trainable> workloads) {
  std::string names;
  for (const auto& one : workloads) names += fmt::format("{}{}", names.empty() ? "" : ", ", one.workload);
  return names;
}

void carry_out(const run::TrainingOrder& order, std::span<const Trainable> workloads, const Ground& ground) {
  const auto found = std::ranges::find(workloads, order.workload, &Trainable::workload);
  if (found == workloads.end())
    throw BadInput(fmt::format("train {}: expected one of {}", order.workload, all_names(workloads)));
  Bench bench({.data_seed = order.data_seed,
               .device = order.device,
               .threads = order.threads,
               .options = order.options,
               .loader = order.loader},
              ground);
  bench.setup.device = order.device;
  bench.setup.stream = bench.around->stream_for(order.device);
  try {
    print(found->train(bench.setup, order, print_part));
  } catch (const BadInput&) {
    throw;
  } catch (const Skip&) {
    throw;
  } catch (const std::exception& error) {
    throw BadInput(bench.around->fault_of(error, order.device).sentence);
  }
}

}  // namespace

int train_mode(std::string_view order, std::span<const Trainable> workloads, const Ground& ground) {
  try {
    keep_freed_memory();
    carry_out(run::order_from_json(order), workloads, ground);
    require_output();
    return 0;
  } catch (const std::exception& error) {
    tell(host_fault(error, {}).sentence);
  }
  return 1;
}

}  // namespace harness::worker
