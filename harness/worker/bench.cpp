#include "harness/worker/bench.hpp"

#include "harness/cuda/check.hpp"

#include <cuda_runtime_api.h>

#include <array>
#include <string>

namespace harness::worker {
namespace {

std::string bus_id_of(const Device& device) {
  std::array<char, 32> bus_id{};
  check(cudaDeviceGetPCIBusId(bus_id.data(), static_cast<int>(bus_id.size()), device.index));
  return bus_id.data();
}

}  // namespace

Bench::Bench(const run::Job& job) : torch(job.threads), begin(std::chrono::steady_clock::now()) {
  setup.seed = job.data_seed;
  setup.threads = job.threads;
  setup.round = job.round.value_or(0);
  setup.options = job.options;
  if (!job.loader.empty()) setup.loader = job.loader;
}

const ClockEvents& Bench::clocks_of(const Device& device) {
  if (!clocks) clocks.emplace(bus_id_of(device));
  return *clocks;
}

std::unique_ptr<const StayOn> Bench::stay_near(const Device& device) const {
  if (!device.is_cuda()) return nullptr;
  const SystemFiles files;
  const auto node = node_of(files, bus_id_of(device), numa_nodes(files, cpus_of_this_thread()));
  return node ? std::make_unique<const StayOn>(*node) : nullptr;
}

}  // namespace harness::worker
