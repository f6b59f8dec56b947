#include "workloads/sage/captured_step.hpp"

#include "harness/libtorch/torch_graph.hpp"

#include <ATen/ATen.h>

#include <array>

namespace workloads::sage {
namespace {

std::array<at::Tensor*, 4> tensors_of(Batch& batch) {
  return {&batch.graph.sources, &batch.graph.offsets, &batch.features, &batch.labels};
}

}  // namespace

CapturedStep::CapturedStep(training::NamedTensors parameters) : parameters_(std::move(parameters)) {}
CapturedStep::~CapturedStep() = default;

void CapturedStep::capture(const Batch& batch, const Train& train,
                           const std::function<void(const Batch&)>& rehearse) {
  batch_ = batch;
  for (auto* tensor : tensors_of(batch_)) *tensor = tensor->clone();
  graph_ = harness::captured([&] { loss_ = train(batch_); }, [&] { rehearse(batch_); });
  for (const auto& [name, parameter] : parameters_) gradients_.push_back(parameter.grad());
}

at::Tensor CapturedStep::operator()(const Batch& batch, const Train& train,
                                    const std::function<void(const Batch&)>& rehearse) {
  if (!graph_) capture(batch, train, rehearse);
  auto from = batch;
  const auto to = tensors_of(batch_);
  for (std::size_t i = 0; i < to.size(); ++i) to[i]->copy_(*tensors_of(from)[i]);
  graph_->replay();
  // A batch that did not fit has left gradients of its own.
  for (std::size_t i = 0; i < parameters_.size(); ++i) parameters_[i].second.mutable_grad() = gradients_[i];
  return loss_.detach().clone();
}

}  // namespace workloads::sage
