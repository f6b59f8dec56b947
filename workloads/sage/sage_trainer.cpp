#include "workloads/sage/sage_trainer.hpp"

#include "harness/core/setup.hpp"
#include "harness/libtorch/range.hpp"
#include "harness/libtorch/torch_graph.hpp"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

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

std::optional<Room> room_of(const Job& job, const Switches& switches) {
  if (!switches.captured) return std::nullopt;
  return room_for(job.graph->neighbours, job.graph->training, job.batch_size, job.fan_outs);
}

}  // namespace

Trainer::Trainer(Job job, const Switches& switches)
    : job_(with_a_full_batch(std::move(job))),
      switches_(switches),
      feed_(job_.graph, job_.fan_outs, switches, job_.device, room_of(job_, switches)),
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
  if (switches_.worker_processes)
    processes_ =
        std::make_unique<SampleProcesses>(*job_.graph, job_.fan_outs, job_.workers, job_.batches_ready);
  if (job_.rank) {
    partition_.emplace(job_.graph->features, job_.rank, job_.device);
    exchange_ = std::make_unique<training::GradientExchange>(training::DataParallel{.rank = job_.rank},
                                                             parameters(), training::NamedTensors());
  }
  restart();
}

void Trainer::restart() {
  training::assign(parameters(), first_);
  optimizer_.emplace(
      parameters(),
      training::Recipe{.algorithm = training::Algorithm::adam, .learning_rate = job_.learning_rate},
      switches_.fused_optimizer);
  // What was captured is the former optimizer's.
  if (switches_.captured && job_.device.is_cuda()) captured_ = std::make_unique<CapturedStep>(parameters());
  rewind(0);
}

void Trainer::rewind(std::int64_t batch) { course_.rewind(0, batch); }

Order Trainer::order() const {
  // A node is in one batch of an epoch: the first one names its batch.
  const auto& seeds = course_.batch();
  return {seeds, batch_seed(job_.seed, course_.epoch(), seeds.front())};
}

Order Trainer::next_order() {
  auto next = order();
  course_.advance();
  return next;
}

at::Tensor Trainer::loss(const Batch& batch) const {
  const auto logits = model_.forward(batch.features.to(job_.type), batch.graph, switches_.trim);
  return at::cross_entropy_loss(logits, batch.labels);
}

at::Tensor Trainer::learn(const Batch& batch) {
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
  return value.detach();
}

void Trainer::train(const Batch& batch) {
  const auto rehearse = [this](const Batch& padded) {
    const auto noted = optimizer_->noted();
    learn(padded);
    noted.put_back();
  };
  const auto value = captured_ && batch.is_padded
                         ? (*captured_)(
                               batch, [this](const Batch& padded) { return learn(padded); }, rehearse)
                         : learn(batch);
  course_.note(value);
  training::show_loss(course_.losses().size(), value, switches_.log_every_n);
}

std::vector<Order> Trainer::next_orders(std::int64_t count) {
  std::vector<Order> orders;
  for (std::int64_t i = 0; i < count; ++i) orders.push_back(next_order());
  return orders;
}

FeedPlan Trainer::plan_of_steps() const {
  return {.workers = switches_.workers ? job_.workers : 0,
          .ready = job_.batches_ready,
          .ahead = switches_.prefetch && job_.device.is_cuda(),
          .processes = processes_.get()};
}

void Trainer::run(std::int64_t count, const FeedPlan& plan) {
  Feeding feeding(feed_, switches_, plan, job_.device, next_orders(count));
  for (std::int64_t i = 0; i < count; ++i) train(feeding.next());
}

void Trainer::step() { job_.parts > 1 || job_.rank ? step_in_parts() : run(1, {}); }
void Trainer::steps(std::int64_t count) { run(count, plan_of_steps()); }

Parts Trainer::timed(std::int64_t count, const FeedPlan& plan) {
  Parts parts;
  double batches = 0;
  Feeding feeding(feed_, switches_, plan, job_.device, next_orders(count));
  for (std::int64_t i = 0; i < count; ++i) {
    Batch batch;
    batches += seconds_of(job_.device, [&] { batch = feeding.next(); });
    parts.train += seconds_of(job_.device, [&] { train(batch); });
    parts.graph = batch.graph;
  }
  parts.sample = feeding.waits().sample;
  parts.gather = feeding.waits().gather;
  parts.copy = batches - parts.sample - parts.gather;
  for (auto* part : {&parts.sample, &parts.gather, &parts.copy, &parts.train})
    *part /= static_cast<double>(count);
  return parts;
}

Parts Trainer::timed_step() { return timed(1, {}); }
Parts Trainer::timed_steps(std::int64_t count) { return timed(count, plan_of_steps()); }

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
