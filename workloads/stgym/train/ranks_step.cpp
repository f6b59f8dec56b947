// A step with other ranks: each has its share of a batch's graphs.
#include "harness/core/setup.hpp"
#include "harness/libtorch/range.hpp"
#include "harness/libtorch/rank.hpp"

#include "workloads/stgym/train/graph_trainer.hpp"

#include <ATen/ATen.h>

namespace workloads::stgym {
/// The mean over the ranks must be the batch's loss. A pooling's is a mean over graphs, and that of nodes'
/// labels one over nodes, so each counts by its part of them.
at::Tensor Trainer::add_gradients_with_others(const std::vector<std::int64_t>& graphs) {
  const auto& rank = *job_.data_parallel->rank;
  const auto share = training::shard_of(graphs, rank);
  const bool of_nodes = job_.dataset->task == Task::node_classification;
  at::Tensor sum;
  for (std::int64_t number = 0; number < job_.parts; ++number) {
    const auto part = training::part_of(share, number, job_.parts);
    if (part.empty())
      throw harness::Skip(
          fmt::format("a batch of {} graphs is too small for {} ranks", graphs.size(), rank.size()));
    alone_.begin({part});
    const auto outcome = learner_->forward(*alone_.next(), switches_, space::Mode::training);
    const auto by_graphs =
        rank.size() * static_cast<double>(part.size()) / static_cast<double>(graphs.size());
    const auto by_nodes = rank.size() * job_.dataset->nodes_in(part) / job_.dataset->nodes_in(graphs);
    auto loss = outcome.loss * by_graphs;
    if (of_nodes) loss = loss + outcome.label * (by_nodes - by_graphs);
    {
      const harness::Range range("bwd");
      exchange_->backward(loss, number + 1 == job_.parts);
    }
    sum = sum.defined() ? sum + loss.detach() : loss.detach();
  }
  return sum;
}

at::Tensor Trainer::learn_with_others(const std::vector<std::int64_t>& graphs) {
  optimizer_->zero_grad();
  auto loss = add_gradients_with_others(graphs);
  const harness::Range range("opt");
  optimizer_->step();
  return loss;
}

std::vector<float> Trainer::first_step() const {
  return training::loss_and_norm(course_.only_loss(), learner_->parameters(), exchange_);
}

}  // namespace workloads::stgym
