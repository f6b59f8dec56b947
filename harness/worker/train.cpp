#include "harness/worker/train.hpp"

#include "harness/core/fault.hpp"
#include "harness/machine/heap.hpp"
#include "harness/support/quantity.hpp"
#include "harness/support/terminal.hpp"
#include "harness/worker/bench.hpp"

#include <fmt/format.h>

namespace harness::worker {
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
    return std::fflush(stdout) == 0 ? 0 : 1;
  } catch (const std::exception& error) {
    tell(host_fault(error, {}).sentence);
  }
  return 1;
}

}  // namespace harness::worker
