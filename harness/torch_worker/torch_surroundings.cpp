#include "harness/torch_worker/torch_surroundings.hpp"

#include "harness/libtorch/kineto.hpp"
#include "harness/torch_worker/profile_row.hpp"

namespace harness::torch_worker {
namespace {

std::unique_ptr<worker::Surroundings> open_torch(int threads) {
  return std::make_unique<TorchSurroundings>(threads);
}

Json torch_facts(const Device& device, const BuildInfo& build) {
  auto json = cuda_worker::cuda_facts(device, build);
  json["libtorch"] = torch_version();
  json["cpu_capability"] = torch_cpu_capability();
  return json;
}

}  // namespace

std::shared_ptr<const void> TorchSurroundings::spacer(const Device& device, Random& random) {
  return harness::spacer(device, random);
}

Fault TorchSurroundings::fault_of(const std::exception& error, const Device& device) {
  return harness::fault_of(error, device);
}

bool TorchSurroundings::profiler_attached() { return harness::profiler_attached(); }

void TorchSurroundings::profile(results::Row& row, const run::StepAt& found, Setup& setup,
                                const run::ProfilePlan& plan, const worker::Walked& walked) {
  setup.stream = torch_.stream_for(found.device);
  profile_into(row, found, setup, plan, walked);
}

worker::Ground torch_ground() { return {open_torch, torch_facts}; }

}  // namespace harness::torch_worker
