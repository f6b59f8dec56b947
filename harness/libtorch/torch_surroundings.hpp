// Rows in LibTorch, on the host and on CUDA devices.
#pragma once

#include "harness/cuda/cuda_surroundings.hpp"
#include "harness/libtorch/team.hpp"
#include "harness/libtorch/torch_runtime.hpp"

namespace harness::inline libtorch {

/// A stream that is LibTorch's current one, its allocators, its exceptions, its profiler.
class TorchSurroundings : public CudaSurroundings {
 public:
  explicit TorchSurroundings(int threads) : torch_(threads) {}
  const Stream* stream_for(const Device& device) override { return torch_.stream_for(device); }
  void release_memory() override { torch_.release_memory(); }
  std::shared_ptr<const void> spacer(const Device& device, Random& random) override;
  /// The rehearsal also counts what each form asks of LibTorch, in figures.
  Measurement measure(const std::array<Trial, 2>& sets, const Setup& setup,
                      const worker::Order& order) override;
  /// Both sets of a row in ranks belong to one team.
  Trial prepare(const run::StepAt& found, Setup& setup) override;
  std::shared_ptr<const void> watch_host(const std::string& calls) override;
  Fault fault_of(const std::exception& error, const Device& device) override;
  bool profiler_attached() override;
  void profile(results::Row& row, const run::StepAt& found, Setup& setup, const run::ProfilePlan& plan,
               const worker::Walked& walked) override;

 private:
  TorchRuntime torch_;
  std::weak_ptr<Team> team_;  // of the row whose sets live
};

/// LibTorch with CUDA.
worker::Ground torch_ground();

}  // namespace harness::inline libtorch
