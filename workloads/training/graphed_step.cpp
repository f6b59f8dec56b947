#include "workloads/training/graphed_step.hpp"

#include "harness/libtorch/torch_graph.hpp"

#include <ATen/ATen.h>

namespace workloads::training {
namespace {

void forget_gradients(const NamedTensors& parameters) {
  for (const auto& [name, parameter] : parameters) parameter.mutable_grad().reset();
}

}  // namespace

GraphedStep::GraphedStep(const GraphedWork& work, const Sample& sample)
    : fixed_{sample.input.clone(), sample.target.clone()} {
  forget_gradients(work.parameters);
  graph_ = harness::captured([&] { loss_ = work.train(fixed_); }, [&] { work.rehearse(fixed_); });
  for (const auto& [name, parameter] : work.parameters) gradients_.push_back(parameter.grad());
  // The graph goes on writing to them; the model must not take them for its own.
  forget_gradients(work.parameters);
}

GraphedStep::~GraphedStep() = default;

at::Tensor GraphedStep::operator()(const Sample& batch) {
  constexpr bool non_blocking = true;
  fixed_.input.copy_(batch.input, non_blocking);
  fixed_.target.copy_(batch.target, non_blocking);
  graph_->replay();
  return loss_.detach().clone();
}

}  // namespace workloads::training
