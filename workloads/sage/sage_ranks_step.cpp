// A step in parts: each rank's part of a batch, or all parts one after the other in one process.
#include "harness/libtorch/range.hpp"
#include "harness/libtorch/rank.hpp"

#include "workloads/sage/sage_trainer.hpp"

#include <ATen/ATen.h>

namespace workloads::sage {

/// The mean over the ranks of their parts' losses is the mean over all parts, which have as many seeds.
at::Tensor Trainer::add_gradients_of(const Order& part, double share) {
  auto batch = feed_.sampled(part);
  if (partition_)
    batch.features = partition_->rows(batch.nodes.to(job_.device));
  else
    feed_.gather(batch);
  const auto value = loss(feed_.on_device(batch)) * share;
  const harness::Range range("bwd");
  if (exchange_)
    exchange_->backward(value, /*is_last_part=*/true);
  else
    value.backward();
  return value.detach();
}

at::Tensor Trainer::learn_in_parts(const Order& order) {
  optimizer_->zero_grad(/*to_none=*/true);
  at::Tensor sum;
  const auto part = [&](std::int64_t number) {
    return Order{training::part_of(order.seeds, number, job_.parts), order.seed};
  };
  if (job_.rank) {
    sum = add_gradients_of(part(job_.rank->number()), 1);
  } else {
    for (std::int64_t number = 0; number < job_.parts; ++number) {
      const auto value = add_gradients_of(part(number), 1 / static_cast<double>(job_.parts));
      sum = sum.defined() ? sum + value : value;
    }
  }
  const harness::Range range("opt");
  optimizer_->step();
  return sum;
}

void Trainer::step_in_parts() {
  course_.note(learn_in_parts(order()));
  course_.advance();
}

void Trainer::rehearse() {
  const auto noted = optimizer_->noted();
  learn_in_parts(order());
  noted.put_back();
}

std::vector<float> Trainer::first_step() const {
  return training::loss_and_norm(course_.only_loss(), parameters(), exchange_);
}

}  // namespace workloads::sage
