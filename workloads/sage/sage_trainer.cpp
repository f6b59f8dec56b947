#include "workloads/sage/sage_trainer.hpp"

#include "harness/core/setup.hpp"
#include "harness/libtorch/range.hpp"

#include "workloads/training/network.hpp"
#include "workloads/training/training_log.hpp"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <c10/cuda/CUDAStream.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace workloads::sage {
namespace {

constexpr double gain = 2;  // for ReLU

Job with_a_full_batch(Job job) {
  if (job.graph->training < job.batch_size)
    throw harness::BadInput(fmt::format("{}: nodes to learn from: {}, and a batch takes {}",
                                        job.graph->source, job.graph->training, job.batch_size));
  return job;
}

/// Runs the part, waits for the device, and gives the seconds.
template <class Part>
double seconds_of(at::Device device, const Part& part) {
  const auto begin = std::chrono::steady_clock::now();
  part();
  if (device.is_cuda()) c10::cuda::getCurrentCUDAStream(device.index()).synchronize();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

Trainer::Trainer(Job job, const Switches& switches)
    : job_(with_a_full_batch(std::move(job))),
      switches_(switches),
      feed_(job_.graph, job_.fan_outs, switches, job_.device),
      model_({.features = job_.graph->features.size(1),
              .hidden = job_.hidden,
              .classes = job_.graph->classes,
              .layers = static_cast<int>(job_.fan_outs.size())},
             at::TensorOptions(job_.device).dtype(job_.type)),
      course_([samples = job_.graph->training, size = job_.batch_size, seed = job_.seed](std::int64_t epoch) {
        return training::shuffled_batches(samples, size, batch_seed(seed, epoch, 0));
      }) {
  training::Network network;
  network.parameters = parameters();
  training::initialise(network, gain, job_.seed);
  first_ = training::copy_of(parameters());
  restart();
}

void Trainer::restart() {
  training::assign(parameters(), first_);
  optimizer_.emplace(
      parameters(),
      training::Recipe{.algorithm = training::Algorithm::adam, .learning_rate = job_.learning_rate},
      switches_.fused_optimizer);
  rewind(0);
}

void Trainer::rewind(std::int64_t batch) { course_.rewind(0, batch); }

Order Trainer::next_order() {
  // A node is in one batch of an epoch: the first one names its batch.
  const auto& seeds = course_.batch();
  Order order{seeds, batch_seed(job_.seed, course_.epoch(), seeds.front())};
  course_.advance();
  return order;
}

at::Tensor Trainer::loss(const Batch& batch) const {
  const auto logits = model_.forward(batch.features.to(job_.type), batch.graph, switches_.trim);
  return at::cross_entropy_loss(logits, batch.labels);
}

void Trainer::train(const Batch& batch) {
  at::Tensor value;
  {
    const harness::Range range("fwd");
    value = loss(batch);
  }
  optimizer_->zero_grad(/*to_none=*/true);
  {
    const harness::Range range("bwd");
    value.backward();
  }
  {
    const harness::Range range("opt");
    optimizer_->step();
  }
  course_.note(value.detach());
  training::show_loss(course_.losses().size(), value, switches_.log_every_n);
}

void Trainer::step() {
  Feeding feeding(feed_, switches_, {}, job_.device, {next_order()});
  train(feeding.next());
}

void Trainer::steps(std::int64_t count) {
  std::vector<Order> orders;
  for (std::int64_t i = 0; i < count; ++i) orders.push_back(next_order());
  Feeding feeding(feed_, switches_,
                  {.workers = switches_.workers ? job_.workers : 0,
                   .ready = job_.batches_ready,
                   .ahead = switches_.prefetch && job_.device.is_cuda()},
                  job_.device, std::move(orders));
  for (std::int64_t i = 0; i < count; ++i) train(feeding.next());
}

Parts Trainer::timed_step() {
  const auto order = next_order();
  Parts parts;
  Batch batch;
  parts.sample = seconds_of(job_.device, [&] { batch = feed_.sampled(order); });
  parts.gather = seconds_of(job_.device, [&] { feed_.gather(batch); });
  parts.copy = seconds_of(job_.device, [&] { batch = feed_.on_device(batch); });
  parts.train = seconds_of(job_.device, [&] { train(batch); });
  parts.graph = batch.graph;
  return parts;
}

double Trainer::validation_loss() const {
  constexpr std::int64_t most_batches = 4;
  const c10::NoGradGuard no_gradients;
  training::Numbers seeds(static_cast<std::size_t>(
      std::min(most_batches * job_.batch_size, job_.graph->neighbours.size() - job_.graph->training)));
  std::iota(seeds.begin(), seeds.end(), job_.graph->training);
  Feeding feeding(feed_, switches_, {}, job_.device, {{seeds, batch_seed(job_.seed, -1, 0)}});
  return loss(feeding.next()).item<double>();
}

std::vector<float> Trainer::answer() const {
  const c10::NoGradGuard no_gradients;
  auto values = losses();
  const auto& all = parameters();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& parameter = all[i].second;
    if (!parameter.grad().defined())
      throw std::runtime_error("'" + all[i].first + "' got no gradient: a layer is left out");
    values.push_back(parameter.grad().norm().item<float>());
    values.push_back((parameter - first_[i].second).norm().item<float>());
  }
  return values;
}

}  // namespace workloads::sage
