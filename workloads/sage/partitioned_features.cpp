#include "workloads/sage/partitioned_features.hpp"

#include "harness/libtorch/rank.hpp"
#include "harness/libtorch/versions.hpp"

#include <ATen/ATen.h>

#include <algorithm>
#include <numeric>

namespace workloads::sage {
namespace {

std::vector<std::int64_t> on_host(const at::Tensor& numbers) {
  const auto host = numbers.cpu();
  const auto* const first = host.const_data_ptr<std::int64_t>();
  return {first, first + host.numel()};
}

/// The ranks send each other so many rows; `rows` holds rank 0's first.
at::Tensor exchanged(const harness::Rank& rank, const at::Tensor& rows, std::vector<std::int64_t> sent,
                     std::vector<std::int64_t> received) {
  auto shape = rows.sizes().vec();
  shape.front() = std::reduce(received.begin(), received.end());
  auto all = at::empty(shape, rows.options());
  auto own = rows.contiguous();
  harness::all_to_all(*rank.group(), all, own, received, sent)->wait();
  return all;
}

}  // namespace

PartitionedFeatures::PartitionedFeatures(const at::Tensor& features,
                                         std::shared_ptr<const harness::Rank> rank, at::Device device)
    : rank_(std::move(rank)), rows_of_rank_((features.size(0) + rank_->size() - 1) / rank_->size()) {
  const auto begin = std::min(rank_->number() * rows_of_rank_, features.size(0));
  const auto end = std::min(begin + rows_of_rank_, features.size(0));
  own_ = features.narrow(0, begin, end - begin).to(device, /*non_blocking=*/false, /*copy=*/true);
}

at::Tensor PartitionedFeatures::rows(const at::Tensor& nodes) const {
  const auto owner = nodes.div(rows_of_rank_, "floor");
  const auto order = owner.argsort(/*stable=*/true, /*dim=*/0, /*descending=*/false);
  const std::vector<std::int64_t> one_each(static_cast<std::size_t>(rank_->size()), 1);
  const auto counts = at::bincount(owner, {}, rank_->size());
  const auto asked = on_host(counts), wanted = on_host(exchanged(*rank_, counts, one_each, one_each));
  const auto numbers = exchanged(*rank_, nodes.index_select(0, order), asked, wanted);
  const auto found =
      exchanged(*rank_, own_.index_select(0, numbers - rank_->number() * rows_of_rank_), wanted, asked);
  return at::empty_like(found).index_copy_(0, order, found);
}

}  // namespace workloads::sage
