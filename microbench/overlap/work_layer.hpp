// The work kernel as a layer of a network.
#pragma once

#include "harness/cuda/check.hpp"

#include "microbench/overlap/overlap_work.hpp"

#include <ATen/ATen.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/csrc/autograd/custom_function.h>

#include <cstdint>

namespace microbench {

/// Both passes are one kernel each, on the stream that is current: the forward pass on a copy of x, the
/// backward pass on a copy of the gradient; one block of it takes `seconds` with these rounds. (No
/// derivative: what counts is where and how long it runs.)
struct WorkLayer : torch::autograd::Function<WorkLayer> {
  static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& x,
                            std::int64_t rounds, double seconds) {
    context->saved_data["rounds"] = rounds;
    context->saved_data["seconds"] = seconds;
    return work_on(x.clone(), rounds, seconds);
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 const torch::autograd::variable_list& gradients) {
    const auto rounds = context->saved_data["rounds"].toInt();
    const auto seconds = context->saved_data["seconds"].toDouble();
    return {work_on(gradients[0].clone(), rounds, seconds), at::Tensor(), at::Tensor()};
  }

 private:
  static at::Tensor work_on(at::Tensor x, std::int64_t rounds, double seconds) {
    harness::next_launch_takes(seconds);
    harness::check(queue_work(x.mutable_data_ptr<float>(), static_cast<std::size_t>(x.numel()),
                              static_cast<int>(rounds), c10::cuda::getCurrentCUDAStream()));
    return x;
  }
};

}  // namespace microbench
