#include "harness/worker/bench.hpp"

namespace harness::worker {

Bench::Bench(const run::Task& task, const Ground& ground)
    : around(ground.open(task.threads)), begin(std::chrono::steady_clock::now()) {
  setup.seed = task.data_seed;
  setup.threads = task.threads;
  setup.round = task.round.value_or(0);
  setup.options = task.options;
  if (!task.loader.empty()) setup.loader = task.loader;
}

const ClockEvents& Bench::clocks_of(const Device& device) {
  if (!clocks) clocks.emplace(around->bus_id(device));
  return *clocks;
}

std::unique_ptr<const StayOn> Bench::stay_near(const Device& device) const {
  if (!device.is_cuda()) return nullptr;
  const SystemFiles files;
  const auto node = node_of(files, around->bus_id(device), numa_nodes(files, cpus_of_this_thread()));
  return node ? std::make_unique<const StayOn>(*node) : nullptr;
}

}  // namespace harness::worker
