#include "workloads/training/trainer.hpp"

#include "harness/libtorch/precision.hpp"
#include "harness/libtorch/range.hpp"

#include <ATen/ATen.h>

#include <cstdio>
#include <numeric>

namespace workloads::training {
namespace {

/// Of outputs along the last dimension, one for each label.
double right_share(const at::Tensor& output, const at::Tensor& target) {
  if (target.scalar_type() != at::kLong) return 0;
  return output.argmax(-1).eq(target).to(at::kDouble).mean().item<double>();
}

Job with_a_full_batch(Job job) {
  check_fills_a_batch(*job.dataset, job.batch_size);
  return job;
}

/// The batches of each epoch, of which a rank reads its shard.
Course course_of(const Job& job) {
  return Course([samples = job.dataset->training, size = job.batch_size, seed = job.seed,
                 others = job.data_parallel](std::int64_t epoch) {
    auto batches = shuffled_batches(samples, size, seed * 1000 + static_cast<std::uint64_t>(epoch));
    if (others)
      for (auto& batch : batches) batch = shard_of(batch, *others->rank);
    return batches;
  });
}

/// LibTorch's process-wide settings that a form asks for, while a step runs.
struct Settings {
  explicit Settings(const Switches& switches)
      : products(switches.tf32 ? "high" : "highest"),
        convolutions(switches.tf32 ? at::Float32Precision::TF32 : at::Float32Precision::IEEE),
        benchmark(switches.cudnn_benchmark) {}
  harness::MatmulPrecision products;
  harness::ConvPrecision convolutions;
  harness::CudnnBenchmark benchmark;
};

}  // namespace

Trainer::Trainer(Job job, const Switches& switches)
    : job_(with_a_full_batch(std::move(job))),
      switches_(switches),
      feed_(*job_.dataset, switches.transform_ahead),
      learner_(job_, switches),
      course_(course_of(job_)) {
  restart();
  if (switches_.compiled) learner_.prepare(fetch(course_.batch()));
}

void Trainer::restart() {
  learner_.restart();
  first_validation_loss_.reset();
  rewind(0);
}

void Trainer::rewind(std::int64_t batch) {
  loading_.reset();
  course_.rewind(0, batch);
}

void Trainer::rewind_to_epoch(std::int64_t epoch) {
  loading_.reset();
  course_.rewind(epoch);
}

Sample Trainer::fetch(const Numbers& numbers) const {
  const auto batch = [&] {
    const harness::Range range("data_wait");
    return feed_.batch(numbers);
  }();
  const harness::Range range("h2d");
  return laid_out({batch.input.to(job_.device), batch.target.to(job_.device)});
}

Sample Trainer::next_batch() {
  if (!switches_.workers && !switches_.prefetch) {
    auto batch = fetch(course_.batch());
    course_.advance();
    return batch;
  }
  if (!loading_)
    loading_ = std::make_unique<Loading>(LoadPlan{.feed = feed_,
                                                  .device = job_.device,
                                                  .workers = switches_.workers ? job_.workers : 0,
                                                  .ready = job_.batches_ready,
                                                  .ahead = switches_.prefetch && job_.device.is_cuda()},
                                         course_.batches_left());
  auto batch = laid_out(loading_->next());
  if (course_.advance()) loading_.reset();
  return batch;
}

Sample Trainer::laid_out(Sample batch) const {
  if (switches_.channels_last && batch.input.dim() == 4)
    batch.input = batch.input.contiguous(at::MemoryFormat::ChannelsLast);
  return batch;
}

void Trainer::log(const at::Tensor& loss) { show_loss(course_.losses().size(), loss, switches_.log_every_n); }

void Trainer::step() {
  const Settings settings(switches_);
  const auto batch = waited_for(training_log_.get(), [this] { return next_batch(); });
  const auto loss = learner_.train(batch);
  course_.note(loss);
  log(loss);
  if (training_log_) training_log_->step(loss, job_.batch_size);
}

void Trainer::rehearse() {
  const Settings settings(switches_);
  learner_.rehearse(fetch(course_.batch()));
}

void Trainer::epoch() {
  for (const auto epoch = course_.epoch(); course_.epoch() == epoch;) step();
  const auto score = validate();
  if (!first_validation_loss_) first_validation_loss_ = score.loss;
}

Score Trainer::validate() {
  const Settings settings(switches_);
  const auto& dataset = *job_.dataset;
  const auto batch_size = job_.validation_batch > 0 ? job_.validation_batch : job_.batch_size;
  const auto end = dataset.training + dataset.validation;
  Score sum;
  for (auto begin = dataset.training; begin < end; begin += batch_size) {
    Numbers numbers(static_cast<std::size_t>(std::min(batch_size, end - begin)));
    std::iota(numbers.begin(), numbers.end(), begin);
    const auto batch = fetch(numbers);
    const auto output = learner_.predict(batch);
    const auto samples = static_cast<double>(numbers.size());
    sum.loss += samples * learner_.loss(output, batch).item<double>();
    sum.right += samples * right_share(output, batch.target);
  }
  const auto count = static_cast<double>(std::max<std::int64_t>(1, dataset.validation));
  const Score score{sum.loss / count, sum.right / count};
  if (training_log_)
    training_log_->validated(score.loss, score.right > 0 ? std::optional(score.right) : std::nullopt);
  return score;
}

Work Trainer::step_work() const {
  return learner_.work(fetch(course_.batches().front()), job_.device.is_cuda());
}

std::vector<float> Trainer::answer(bool with_gradients) const {
  auto numbers = losses();
  const auto add = [&](float share) { numbers.push_back(numbers.at(0) * share); };
  if (const auto way = learner_.buffers_way()) add(*way);
  if (!with_gradients) return numbers;
  const auto [norm, way, product] = learner_.gradients_and_way();
  add(norm / (1 + norm));
  add(product / (norm * way));
  return numbers;
}

std::vector<float> Trainer::first_step() {
  const auto& loss = course_.only_loss();
  const auto [norm, way, product] = learner_.gradients_and_way();
  return {learner_.over_all_ranks(loss).item<float>(), norm, way, product};
}

}  // namespace workloads::training
