#include "harness/libtorch/reduce.hpp"

#include "harness/libtorch/torch_runtime.hpp"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

namespace harness::inline libtorch {
namespace {

void average(const Rank& rank, const at::Tensor& values) {
  std::vector<at::Tensor> one{values};
  rank.group()->allreduce(one)->wait();
  values.div_(rank.size());
}

/// In the order in which the backward pass should fill them: the last parameters first.
std::unique_ptr<c10d::Reducer> make_reducer(const Rank& rank, const std::vector<at::Tensor>& parameters,
                                            const DdpOptions& options) {
  auto buckets = std::get<0>(c10d::compute_bucket_assignment_by_size(parameters, {options.bucket_bytes}));
  std::ranges::reverse(buckets);
  const auto cap = static_cast<std::int64_t>(options.bucket_bytes);
  return std::make_unique<c10d::Reducer>(
      parameters, std::move(buckets), rank.group(), std::vector<bool>(parameters.size(), false), cap,
      options.find_unused, options.gradient_as_bucket_view, std::unordered_map<std::size_t, std::string>(),
      /*first_bucket_bytes_cap=*/cap, /*skip_all_reduce_unused_params=*/false, /*use_python_reducer=*/false,
      /*bucket_bytes_cap_list=*/std::vector<std::int64_t>());
}

}  // namespace

void average_each(const Rank& rank, const std::vector<at::Tensor>& gradients) {
  for (const auto& gradient : gradients) average(rank, gradient);
}

void average_flat(const Rank& rank, const std::vector<at::Tensor>& gradients) {
  std::vector<at::Tensor> parts;
  for (const auto& gradient : gradients) parts.push_back(gradient.reshape({-1}));
  const auto flat = at::cat(parts);
  average(rank, flat);
  std::int64_t begin = 0;
  for (const auto& gradient : gradients) {
    gradient.copy_(flat.narrow(0, begin, gradient.numel()).view_as(gradient));
    begin += gradient.numel();
  }
}

Ddp::Ddp(const Rank& rank, const std::vector<at::Tensor>& parameters, const DdpOptions& options)
    : find_unused_(options.find_unused), reducer_(make_reducer(rank, parameters, options)) {
  if (options.hook) options.hook(*reducer_);
}

void Ddp::backward(const at::Tensor& loss) {
  const Quiet quiet;  // it warns of a search that finds nothing, which is what parallel/unused is about
  // Once, behind the first pass: from then on buckets fill in the order in which gradients come.
  reducer_->rebuild_buckets();
  reducer_->prepare_for_backward(find_unused_ ? std::vector<at::Tensor>{loss} : std::vector<at::Tensor>());
  loss.backward();
}

}  // namespace harness::inline libtorch
