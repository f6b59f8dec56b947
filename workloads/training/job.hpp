// What all forms of one workload have in common.
#pragma once

#include "workloads/training/data_parallel.hpp"
#include "workloads/training/dataset.hpp"
#include "workloads/training/network.hpp"
#include "workloads/training/optimizer.hpp"

namespace workloads::training {

struct Job {
  std::string name = {};  // the workload's
  std::shared_ptr<const Dataset> dataset;
  MakeNetwork make = nullptr;
  std::string_view python = {};  // the same network for torch's compiler: CompiledWork::python
  double gain = 2;               // of the first parameters: `initialise`
  Recipe recipe;
  double clip = 0;  // the norm that all gradients together are scaled down to; 0: they are left alone
  std::int64_t batch_size = 8;
  std::int64_t validation_batch = 0;  // 0: as `batch_size`
  int workers = 2;                    // that make batches, where the form has any
  int batches_ready = 2;              // that lie ready, per worker
  std::int64_t parts = 1;             // that a batch is trained in, their gradients added up
  bool batch_norm = false;            // the network normalises over a batch, and so over each part by itself
  std::optional<DataParallel> data_parallel = {};  // with other processes; nothing: this one alone
  double scale = 0;                                // of a device's size; 0: the CPU's own
  std::uint64_t seed = 0;
  at::Device device = at::kCPU;
  at::ScalarType type = at::kFloat;  // of parameters and losses
};

}  // namespace workloads::training
