#include "harness/worker/bench.hpp"

namespace harness::worker {

Bench::Bench(const run::Job& job, const Ground& ground)
    : around(ground.open(job.threads)), begin(std::chrono::steady_clock::now()) {
  setup.seed = job.data_seed;
  setup.threads = job.threads;
  setup.round = job.round.value_or(0);
  setup.options = job.options;
  if (!job.loader.empty()) setup.loader = job.loader;
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
