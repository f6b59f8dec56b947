// What steps change, noted before a rehearsed one and put back after it.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace torch::optim {
class Optimizer;
}

namespace workloads::training {

class NotedState {
 public:
  /// Copies the tensors, what LibTorch's optimizer keeps of earlier steps, and a count of them; null: none.
  NotedState(std::vector<at::Tensor> tensors, torch::optim::Optimizer* optimizer,
             std::int64_t* count = nullptr);

  /// Copies all of it back into the same memory. What the optimizer has made since is as before a first step.
  void put_back() const;

 private:
  struct Moments {
    std::vector<at::Tensor> tensors;  // copies
    std::int64_t steps = 0;
  };
  std::vector<at::Tensor> tensors_, copies_;
  torch::optim::Optimizer* optimizer_;
  std::int64_t* count_;
  std::int64_t noted_count_;
  std::unordered_map<void*, Moments> moments_;  // by parameter, as LibTorch has it
};

}  // namespace workloads::training
