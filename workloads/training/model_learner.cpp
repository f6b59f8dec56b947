#include "workloads/training/model_learner.hpp"

#include "harness/libtorch/precision.hpp"
#include "harness/libtorch/range.hpp"
#include "harness/libtorch/torch_graph.hpp"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

namespace workloads::training {
namespace {

// GradScaler's: it begins at 2^16, doubles after 2,000 good steps, and halves after a bad one. Ours begins
// lower, so that the first update, which rungs are compared by, is not left out.
constexpr double first_factor = 1024;
constexpr double growth = 2;
constexpr double backoff = 0.5;
constexpr std::int64_t growth_steps = 2000;

void forget_gradients(const NamedTensors& parameters) {
  for (const auto& [name, parameter] : parameters) parameter.mutable_grad().reset();
}

}  // namespace

LossScale::LossScale(at::Device device)
    : factor_(at::full({}, first_factor, at::device(device).dtype(at::kFloat))),
      good_steps_(at::zeros({}, at::device(device).dtype(at::kInt))) {}

at::Tensor LossScale::scaled(const at::Tensor& loss) const { return loss * factor_; }

bool LossScale::unscale(const NamedTensors& parameters) {
  const c10::NoGradGuard no_gradients;
  std::vector<at::Tensor> gradients;
  for (const auto& [name, parameter] : parameters) gradients.push_back(parameter.grad());
  auto bad = at::zeros({}, factor_.options());
  at::_amp_foreach_non_finite_check_and_unscale_(gradients, bad, factor_.reciprocal());
  at::_amp_update_scale_(factor_, good_steps_, bad, growth, backoff, growth_steps);
  return bad.item<double>() == 0;
}

double LossScale::factor() const { return factor_.item<double>(); }

GraphedStep::GraphedStep(const GraphedWork& work, const Sample& sample)
    : fixed_{sample.input.clone(), sample.target.clone()} {
  forget_gradients(work.parameters);
  graph_ = harness::captured([&] { loss_ = work.train(fixed_); }, [&] { work.rehearse(fixed_); });
  for (const auto& [name, parameter] : work.parameters) gradients_.push_back(parameter.grad());
  // The graph goes on writing to them; the model must not take them for its own.
  forget_gradients(work.parameters);
}

GraphedStep::~GraphedStep() = default;

at::Tensor GraphedStep::operator()(const Sample& batch) {
  constexpr bool non_blocking = true;
  fixed_.input.copy_(batch.input, non_blocking);
  fixed_.target.copy_(batch.target, non_blocking);
  graph_->replay();
  return loss_.detach().clone();
}

Learner::Learner(const Job& job, const Switches& switches)
    : switches_(switches),
      recipe_(job.recipe),
      clip_(job.clip),
      parts_(job.parts),
      type_(job.type),
      compiled_work_{.step = job.name,
                     .python = job.python,
                     .recipe = job.recipe,
                     .clip = job.clip,
                     .bf16 = switches.bf16},
      network_(job.make(at::device(job.device).dtype(job.type))) {
  if (switches_.cuda_graph && job.recipe.rate_falls_over > 0)
    throw std::logic_error("a recorded step keeps the rate that it was recorded with");
  initialise(network_, job.gain, job.seed);
  if (switches_.channels_last) lay_out_channels_last(network_.parameters);
  first_parameters_ = copy_of(network_.parameters);
  first_buffers_ = copy_of(network_.buffers);
  if (job.data_parallel)
    exchange_ = std::make_unique<GradientExchange>(*job.data_parallel, network_.parameters, network_.buffers);
}

void Learner::restart() {
  assign(network_.parameters, first_parameters_);
  assign(network_.buffers, first_buffers_);
  for (const auto& [name, parameter] : network_.parameters) parameter.mutable_grad().reset();
  optimizer_.emplace(network_.parameters, recipe_, switches_.fused_optimizer);
  graphed_.reset();  // it holds the old optimizer's tensors
  if (compiled_) compiled_->reset();
  if (switches_.fp16) scale_.emplace(network_.parameters.front().second.device());
}

at::Tensor Learner::output_of(const Sample& batch, Mode mode) const {
  const auto device = batch.input.device().type();
  const bool single = type_ == at::kFloat;  // autocast has nothing to do with FP64
  std::optional<harness::Autocast> autocast;
  if (single && switches_.bf16) autocast.emplace(device, at::kBFloat16);
  if (single && switches_.fp16) autocast.emplace(device, at::kHalf);
  return network_.predict(batch.input, switches_, mode);
}

/// Losses are FP32's, whatever products are in.
at::Tensor Learner::loss(const at::Tensor& output, const Sample& batch) const {
  return network_.loss(output.to(type_), batch.target);
}

at::Tensor Learner::predict(const Sample& batch) const {
  const c10::NoGradGuard no_gradients;
  return output_of(batch, Mode::evaluation).to(type_);
}

void Learner::backward(const at::Tensor& loss, bool is_last_part) const {
  const harness::Range range("bwd");
  const auto scaled = scale_ ? scale_->scaled(loss) : loss;
  if (exchange_)
    exchange_->backward(scaled, is_last_part);
  else
    scaled.backward();
}

void Learner::update() {
  const harness::Range range("opt");
  if (scale_ && !scale_->unscale(network_.parameters)) return;
  if (clip_ > 0) clip_gradients(network_.parameters, clip_, switches_.foreach_clip);
  optimizer_->step();
}

/// Adds a part's gradients to those that are there; gives its share of the loss.
at::Tensor Learner::add_gradients(const Sample& part, bool is_last) {
  const auto share = [&] {
    const harness::Range range("fwd");
    if (exchange_) exchange_->send_buffers(is_last);
    const auto mean = loss(output_of(part, Mode::training), part);
    return parts_ == 1 ? mean : mean / parts_;
  }();
  backward(share, is_last);
  return share.detach();
}

std::vector<Sample> Learner::parts_of(const Sample& batch) const {
  const auto inputs = batch.input.chunk(parts_), targets = batch.target.chunk(parts_);
  std::vector<Sample> parts;
  for (std::size_t i = 0; i < inputs.size(); ++i) parts.push_back({inputs[i], targets[i]});
  return parts;
}

at::Tensor Learner::train_by_operators(const Sample& batch) {
  optimizer_->zero_grad(switches_.gradients_to_none);
  const auto parts = parts_of(batch);
  const auto is_last = [&](std::size_t part) { return part + 1 == parts.size(); };
  auto sum = add_gradients(parts[0], is_last(0));
  for (std::size_t i = 1; i < parts.size(); ++i) sum = sum + add_gradients(parts[i], is_last(i));
  update();
  return sum;
}

void Learner::rehearse_operators(const Sample& batch) {
  const auto noted = copy_of(network_.buffers);
  // In parts as training does: the whole batch may not fit into the memory.
  const auto parts = parts_of(batch);
  for (std::size_t i = 0; i < parts.size(); ++i)
    backward(loss(output_of(parts[i], Mode::training), parts[i]), i + 1 == parts.size());
  assign(network_.buffers, noted);
  optimizer_->zero_grad(switches_.gradients_to_none);
}

void Learner::prepare(const Sample& batch) {
  if (switches_.compiled && !compiled_) compiled_.emplace(compile_step(compiled_work_, network_, batch));
  if (!switches_.cuda_graph || graphed_) return;
  const GraphedWork work{.train = [this](const Sample& fixed) { return train_by_operators(fixed); },
                         .rehearse = [this](const Sample& fixed) { rehearse_operators(fixed); },
                         .parameters = network_.parameters};
  graphed_ = std::make_unique<GraphedStep>(work, batch);
}

at::Tensor Learner::train(const Sample& batch) {
  prepare(batch);
  if (compiled_) return (*compiled_)({batch.input, batch.target});
  return graphed_ ? (*graphed_)(batch) : train_by_operators(batch);
}

void Learner::rehearse(const Sample& batch) {
  prepare(batch);
  if (compiled_) return compiled_->rehearse({batch.input, batch.target});
  const auto noted = optimizer_->noted();
  const auto buffers = copy_of(network_.buffers);
  train(batch);
  noted.put_back();
  assign(network_.buffers, buffers);
}

std::vector<at::Tensor> Learner::gradients() const {
  if (graphed_) return graphed_->gradients();
  std::vector<at::Tensor> gradients;
  for (const auto& [name, parameter] : network_.parameters) gradients.push_back(parameter.grad());
  return gradients;
}

std::array<float, 3> Learner::gradients_and_way() const {
  const auto all = gradients();
  for (std::size_t i = 0; i < all.size(); ++i)
    if (!all[i].defined())
      throw std::runtime_error("'" + network_.parameters[i].first + "' got no gradient: a layer is left out");
  const c10::NoGradGuard no_gradients;
  std::vector<at::Tensor> gradients, ways, products;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto way = network_.parameters[i].second - first_parameters_[i].second;
    gradients.push_back(all[i].norm());
    ways.push_back(way.norm());
    products.push_back((way * all[i]).sum());
  }
  const auto norm = [](const std::vector<at::Tensor>& norms) {
    return at::stack(norms).norm().item<float>();
  };
  return {norm(gradients), norm(ways), at::stack(products).sum().item<float>()};
}

std::optional<float> Learner::buffers_way() const {
  if (network_.buffers.empty()) return std::nullopt;
  std::vector<at::Tensor> shares;
  for (std::size_t i = 0; i < network_.buffers.size(); ++i) {
    const auto way = (network_.buffers[i].second - first_buffers_[i].second).square().mean().sqrt();
    shares.push_back(way / (1 + way));
  }
  return at::stack(shares).mean().item<float>();
}

}  // namespace workloads::training
