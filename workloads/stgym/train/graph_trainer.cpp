#include "workloads/stgym/train/graph_trainer.hpp"

#include "harness/libtorch/range.hpp"

#include "workloads/stgym/space/configuration_option.hpp"
#include "workloads/stgym/space/shipped.hpp"
#include "workloads/stgym/train/torch_modes.hpp"

#include <ATen/ATen.h>

#include <cmath>

namespace workloads::stgym {
namespace {

constexpr std::ptrdiff_t sanity_batches = 2;

/// Built here, or (empty) on every access to a graph.
std::shared_ptr<const Neighbourhoods> neighbourhoods_of(const Job& job, const Switches& switches) {
  if (!switches.graph_once) return {};
  const auto device = switches.prefetch || job.graphs_move_alone ? job.device : job.dataset->x.device();
  return std::make_shared<const Neighbourhoods>(all_neighbourhoods(*job.dataset, device));
}

std::int64_t validation_batch(const Job& job) {
  return job.validation_batch > 0 ? job.validation_batch : job.options.batch_size;
}

space::Configuration configuration_of(const Job& job) {
  auto configuration = job.configuration ? *job.configuration : standard_configuration(*job.dataset);
  configuration.train.optim.base_lr *= job.rate_factor;
  return configuration;
}

/// The host multiplies the published model's features where they lie, in FP32; elsewhere a batch is joined.
bool features_stay(const Job& job, const Switches& switches, const space::Configuration& configuration) {
  return switches.rows_in_place && switches.project_first && !switches.bf16 && !switches.compiled &&
         job.device.is_cpu() && space::has_published_shape(configuration);
}

/// amx_products and bf16_rows: with the features in BF16.
Job as_the_form_reads(Job job, const Switches& switches) {
  if (!switches.amx_products && !switches.bf16_rows) return job;
  auto rounded = *job.dataset;
  rounded.x = rounded.x.to(at::kBFloat16);
  job.dataset = std::make_shared<const Dataset>(std::move(rounded));
  return job;
}

at::Tensor forward(Learner& learner, const Batch& batch, const Switches& switches) {
  const harness::Range range("fwd");
  return learner.forward(batch, switches, space::Mode::training).loss;
}

}  // namespace

Trainer::Trainer(Job job, const Switches& switches)
    : configuration_(configuration_of(job)),
      switches_(space::applicable(configuration_, switches)),
      job_(as_the_form_reads(std::move(job), switches_)),
      split_(split_for(*job_.dataset, job_.configuration, job_.seed)),
      course_([this](std::int64_t epoch) { return batches_of_epoch(epoch); }),
      validation_(batches(split_.validation, validation_batch(job_))),
      test_(batches(split_.test, job_.options.batch_size)),
      learner_(make_learner(
          configuration_, *job_.dataset,
          {job_.seed, job_.device, switches_.probed_products ? job_.libraries : training::LibrariesOf()})),
      built_(neighbourhoods_of(job_, switches_)),
      resident_(resident_graphs({job_.dataset, built_}, switches_, configuration_, job_.options.batch_size)),
      alone_({.dataset = job_.dataset,
              .device = job_.device,
              .built = built_,
              .graphs_move_alone = job_.graphs_move_alone,
              .resident = resident_,
              .features_stay = features_stay(job_, switches_, configuration_)}),
      epochs_({job_.dataset, job_.device, switches_.workers_5 ? job_.loader_workers : 0, job_.loader_kind,
               std::max(job_.options.batch_size, validation_batch(job_)), built_, job_.graphs_move_alone,
               resident_, features_stay(job_, switches_, configuration_)}) {
  require_variance(*job_.dataset, configuration_, split_, job_.options.batch_size);
  if (switches_.prefetch) ahead_ = std::make_unique<PrefetchFeed>(job_.dataset, built_, job_.device);
  if (switches_.cuda_graph) graphed_ = graphed_steps();
  if (switches_.compiled) compiled_ = compiled_step();
  if (job_.data_parallel)
    exchange_ = std::make_unique<training::GradientExchange>(*job_.data_parallel, learner_->parameters(),
                                                             NamedTensors());
  restart();
}

std::unique_ptr<GraphedSteps> Trainer::graphed_steps() {
  return std::make_unique<GraphedSteps>(GraphedWork{
      .graphs = {job_.dataset, built_},
      .batch_size = job_.options.batch_size,
      .resident = resident_,
      .train = [this](const Batch& batch) { return learn(batch); },
      .rehearse = [this](const Batch& batch) { backward(forward(*learner_, batch, switches_), switches_); },
      .forget_gradients = [this] { optimizer_->zero_grad(); },
  });
}

std::unique_ptr<CompiledStep> Trainer::compiled_step() {
  alone_.begin({batches_of_epoch(0).front()});
  return std::make_unique<CompiledStep>(learner_->parameters(), configuration_.train.optim, *alone_.next());
}

void Trainer::restart() {
  const auto new_optimizer = [this] {
    optimizer_.emplace(learner_->parameters(), recipe_of(configuration_.train.optim),
                       switches_.fused_optimizer);
  };
  rewind(0);
  if (graphed_) {
    graphed_->clear();
    // A capture must not be the first to call the optimizer's kernels; their effect is put back below.
    const Modes modes(switches_);
    if (!optimizer_) new_optimizer();
    alone_.begin({course_.batch()});
    learn(*alone_.next());
  }
  learner_->reset();
  new_optimizer();
  if (compiled_) compiled_->reset();
  optimizer_->zero_grad();
  patience_ = {};
  auto first = validation_;
  first.resize(static_cast<std::size_t>(std::min(std::ssize(first), sanity_batches)));
  evaluate_on(first);
}

/// Of the run that ends here: a loss that is not finite must not go unseen.
void Trainer::rewind(std::int64_t batch) {
  losses();
  course_.rewind(0, batch);
}

void Trainer::rewind_to_epoch(std::int64_t epoch) {
  losses();
  course_.rewind(epoch);
}

double Trainer::nodes_of(std::int64_t batch) const {
  return job_.dataset->nodes_in(batches_of_epoch(0).at(static_cast<std::size_t>(batch)));
}

std::int64_t Trainer::typical_batch() const {
  const auto batches = batches_of_epoch(0);
  const auto mean = job_.dataset->nodes_in(split_.train) / static_cast<double>(batches.size());
  const auto off = [&](const auto& graphs) { return std::abs(job_.dataset->nodes_in(graphs) - mean); };
  return std::ranges::min_element(batches, {}, off) - batches.begin();
}

Batches Trainer::batches_of_epoch(std::int64_t epoch) const {
  return shuffled_batches(split_.train, job_.options.batch_size, job_.seed, epoch % job_.options.epochs);
}

at::Tensor Trainer::learn(const Batch& batch) {
  if (compiled_) return (*compiled_)(batch);
  optimizer_->zero_grad();
  const auto loss = forward(*learner_, batch, switches_);
  try {
    const harness::Range range("bwd");
    backward(loss, switches_);
  } catch (const std::exception&) {
    course_.note(loss.detach());
    losses();  // anomaly detection stopped at a NaN: if the loss is one, its batch is the better message
    throw;
  }
  const harness::Range range("opt");
  optimizer_->step();
  return loss.detach();
}

void Trainer::learn_next(const std::vector<std::int64_t>* then) {
  const auto graphs = course_.batch();
  set_learning_rate();
  course_.advance();
  if (exchange_) {
    course_.note(learn_with_others(graphs));
  } else if (graphed_) {
    course_.note(graphed_->step(graphs));
  } else if (ahead_) {
    const auto batch = training::waited_for(log_.get(), [&] { return ahead_->take(graphs); });
    ahead_->begin(then == nullptr ? course_.batch() : *then);
    course_.note(learn(batch));
  } else {
    alone_.begin({graphs});
    course_.note(learn(*training::waited_for(log_.get(), [&] { return alone_.next(); })));
  }
  log_step(graphs);
}

void Trainer::step() {
  const Modes modes(switches_);
  learn_next();
}

at::Tensor Trainer::learn_rehearsed(const std::vector<std::int64_t>& graphs) {
  if (exchange_) return learn_with_others(graphs);
  if (graphed_) return graphed_->step(graphs);
  alone_.begin({graphs});
  return learn(*alone_.next());
}

void Trainer::rehearse() {
  const Modes modes(switches_);
  const auto& graphs = course_.batch();
  if (compiled_) {
    alone_.begin({graphs});
    return compiled_->rehearse(*alone_.next());
  }
  if (graphed_)
    for (std::int64_t epoch = 0; epoch < job_.options.epochs; ++epoch)
      for (const auto& each : batches_of_epoch(epoch)) graphed_->prepare(each);
  set_learning_rate();
  const auto noted = optimizer_->noted();
  learn_rehearsed(graphs);
  noted.put_back();
}

bool Trainer::trains_published_model() const { return space::has_published_shape(configuration_); }

Extent Trainer::extent() const {
  const auto shape = trains_published_model() ? published_shape(configuration_, *job_.dataset) : ModelShape{};
  return {shape, job_.dataset->nodes_in(split_.train), job_.dataset->nodes_in(split_.validation)};
}

void Trainer::validate() { scores_ = evaluate_on(validation_); }

Scores Trainer::test() { return evaluate_on(test_); }

Scores Trainer::evaluate_on(const Batches& batches) {
  const Modes modes(switches_);
  if (ahead_) return evaluate_ahead(batches);
  alone_.begin(batches);
  return evaluate(*learner_, [this] { return alone_.next(); }, switches_, configuration_.task.type);
}

/// Each batch is copied while the one before it is predicted; during the last one, the next training batch.
Scores Trainer::evaluate_ahead(const Batches& batches) {
  std::size_t next = 0;
  const auto take = [&]() -> std::optional<Batch> {
    if (next == batches.size()) return std::nullopt;
    auto batch = ahead_->take(batches[next++]);
    ahead_->begin(next == batches.size() ? course_.batch() : batches[next]);
    return batch;
  };
  return evaluate(*learner_, take, switches_, configuration_.task.type);
}

/// Of the epoch that the batch at the cursor belongs to. A captured step keeps the rate that it was captured
/// with, so a schedule excludes that rung.
void Trainer::set_learning_rate() {
  if (configuration_.train.lr_schedule != space::ScheduleType::constant)
    optimizer_->set_learning_rate(learning_rate(configuration_.train, course_.epoch(), job_.options.epochs));
}

void Trainer::log_step(const std::vector<std::int64_t>& graphs) {
  if (log_) log_->step(course_.losses().back(), std::ssize(graphs));
}

void Trainer::note_validation() {
  patience_.note(scores_.loss);
  if (!log_) return;
  const auto found = std::ranges::find(scores_.metrics, "accuracy", &Metric::name);
  log_->validated(scores_.loss, found == scores_.metrics.end() ? std::nullopt : std::optional(found->value));
}

void Trainer::epoch() {
  const Modes modes(switches_);
  if (graphed_ || ahead_) {
    for (auto left = batches_per_epoch(); left > 0; --left)
      learn_next(left == 1 ? &validation_.front() : nullptr);
    losses();
    scores_ = evaluate_on(validation_);
    note_validation();
    return;
  }
  auto all = course_.batches();
  all.insert(all.end(), validation_.begin(), validation_.end());
  epochs_.begin(all);
  set_learning_rate();
  for (const auto& graphs : course_.batches()) {
    course_.note(learn(*training::waited_for(log_.get(), [this] { return epochs_.next(); })));
    log_step(graphs);
  }
  losses();
  scores_ = evaluate(*learner_, [this] { return epochs_.next(); }, switches_, configuration_.task.type);
  note_validation();
  course_.begin_next_epoch();
}

}  // namespace workloads::stgym
