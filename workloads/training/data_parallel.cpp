#include "workloads/training/data_parallel.hpp"

#include "harness/libtorch/rank.hpp"
#include "harness/libtorch/reduce.hpp"

#include <ATen/ATen.h>
#include <torch/csrc/distributed/c10d/comm.hpp>

namespace workloads::training {
namespace {

std::vector<at::Tensor> without_names(const NamedTensors& named) {
  std::vector<at::Tensor> tensors;
  for (const auto& [name, tensor] : named) tensors.push_back(tensor);
  return tensors;
}

}  // namespace

std::vector<std::int64_t> part_of(const std::vector<std::int64_t>& batch, std::int64_t number,
                                  std::int64_t parts) {
  const auto samples = std::ssize(batch);
  return {batch.begin() + samples * number / parts, batch.begin() + samples * (number + 1) / parts};
}

std::vector<std::int64_t> shard_of(const std::vector<std::int64_t>& batch, const harness::Rank& rank) {
  return part_of(batch, rank.number(), rank.size());
}

std::vector<float> loss_and_norm(const at::Tensor& loss, const NamedTensors& parameters,
                                 const std::unique_ptr<GradientExchange>& exchange) {
  std::vector<at::Tensor> norms;
  for (const auto& [name, parameter] : parameters) norms.push_back(parameter.grad().norm());
  return {(exchange ? exchange->mean(loss) : loss).item<float>(), at::stack(norms).norm().item<float>()};
}

GradientExchange::GradientExchange(const DataParallel& plan, const NamedTensors& parameters,
                                   const NamedTensors& buffers)
    : plan_(plan),
      buffers_(without_names(buffers)),
      ddp_(std::make_unique<harness::Ddp>(*plan.rank, without_names(parameters),
                                          harness::DdpOptions{.bucket_bytes = plan.bucket_bytes})) {}
GradientExchange::~GradientExchange() = default;

void GradientExchange::send_buffers(bool is_last_part) const {
  constexpr auto ddps_default = std::size_t{250} << 20;
  if (!buffers_.empty() && exchanges(is_last_part))
    c10d::broadcast_coalesced(plan_.rank->group(), buffers_, ddps_default);
}

void GradientExchange::backward(const at::Tensor& loss, bool is_last_part) {
  if (exchanges(is_last_part))
    ddp_->backward(loss);
  else
    harness::Ddp::backward_alone(loss);
}

at::Tensor GradientExchange::mean(const at::Tensor& value) const {
  std::vector<at::Tensor> one{value.detach().clone()};
  plan_.rank->group()->allreduce(one)->wait();
  return one.front() / plan_.rank->size();
}

}  // namespace workloads::training
