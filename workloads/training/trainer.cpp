#include "workloads/training/trainer.hpp"

#include "harness/libtorch/precision.hpp"
#include "harness/libtorch/range.hpp"

#include "workloads/training/clip_gradients.hpp"
#include "workloads/training/settings.hpp"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace workloads::training {
namespace {

constexpr std::size_t log_every = 50;
constexpr int loader_workers = 2;

/// A line for the reader of a training; nobody reads those of a measurement.
void show(std::size_t step, double loss) {
  std::ofstream out("/dev/null");
  out << fmt::format("step {}: loss {:.4f}\n", step, loss) << std::flush;
}

}  // namespace

Trainer::Trainer(Job job, const Switches& switches)
    : job_(std::move(job)),
      switches_(switches),
      feed_(*job_.dataset, switches.transform_ahead),
      network_(job_.make(at::device(job_.device).dtype(at::kFloat))) {
  initialise(network_, job_.gain, job_.seed);
  if (switches_.channels_last) lay_out_channels_last(network_.parameters);
  first_parameters_ = copy_of(network_.parameters);
  first_buffers_ = copy_of(network_.buffers);
  restart();
}

void Trainer::begin_epoch(std::int64_t epoch) {
  loading_.reset();
  epoch_ = epoch;
  cursor_ = 0;
  batches_ = shuffled_batches(job_.dataset->training, job_.batch_size,
                              job_.seed * 1000 + static_cast<std::uint64_t>(epoch));
}

void Trainer::restart() {
  assign(network_.parameters, first_parameters_);
  assign(network_.buffers, first_buffers_);
  for (const auto& [name, parameter] : network_.parameters) parameter.mutable_grad().reset();
  optimizer_.emplace(network_.parameters, job_.recipe, switches_.fused_optimizer);
  if (switches_.fp16) scale_.emplace(job_.device);
  losses_.clear();
  begin_epoch(0);
}

void Trainer::rewind(std::int64_t batch) {
  losses_.clear();
  begin_epoch(0);
  cursor_ = static_cast<std::size_t>(batch % batches_per_epoch());
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
  const auto next = cursor_++;
  if (!switches_.workers && !switches_.prefetch) return fetch(batches_[next]);
  if (!loading_) {
    const auto first = batches_.begin() + static_cast<std::ptrdiff_t>(next);
    loading_ = std::make_unique<Loading>(LoadPlan{.feed = feed_,
                                                  .device = job_.device,
                                                  .workers = switches_.workers ? loader_workers : 0,
                                                  .ahead = switches_.prefetch && job_.device.is_cuda()},
                                         std::vector<Numbers>(first, batches_.end()));
  }
  return laid_out(loading_->next());
}

Sample Trainer::laid_out(Sample batch) const {
  if (switches_.channels_last && batch.input.dim() == 4)
    batch.input = batch.input.contiguous(at::MemoryFormat::ChannelsLast);
  return batch;
}

at::Tensor Trainer::loss_of(const Sample& batch, Mode mode) const {
  const harness::Range range("fwd");
  std::optional<harness::Autocast> autocast;
  if (switches_.bf16) autocast.emplace(job_.device.type(), at::kBFloat16);
  if (switches_.fp16) autocast.emplace(job_.device.type(), at::kHalf);
  const auto output = network_.predict(batch.input, switches_, mode);
  autocast.reset();  // losses are FP32's
  return network_.loss(output.to(at::kFloat), batch.target);
}

void Trainer::log(const at::Tensor& loss) {
  if (!switches_.log_every_n || losses_.size() % log_every == 0) show(losses_.size(), loss.item<double>());
}

void Trainer::backward(const at::Tensor& loss) const {
  const harness::Range range("bwd");
  (scale_ ? scale_->scaled(loss) : loss).backward();
}

void Trainer::update() {
  const harness::Range range("opt");
  if (scale_ && !scale_->unscale(network_.parameters)) return;
  if (job_.clip > 0) clip_gradients(network_.parameters, job_.clip, switches_.foreach_clip);
  optimizer_->step();
}

void Trainer::step() {
  if (cursor_ == batches_.size()) begin_epoch(epoch_ + 1);
  const Settings settings(switches_);
  const auto batch = next_batch();
  optimizer_->zero_grad(switches_.gradients_to_none);
  const auto loss = loss_of(batch, Mode::training);
  backward(loss);
  update();
  losses_.push_back(loss.detach());
  log(losses_.back());
}

void Trainer::rehearse() {
  const Settings settings(switches_);
  const auto noted = copy_of(network_.buffers);
  backward(loss_of(fetch(batches_[cursor_ % batches_.size()]), Mode::training));
  assign(network_.buffers, noted);
  optimizer_->zero_grad(switches_.gradients_to_none);
}

void Trainer::epoch() {
  if (cursor_ == batches_.size()) begin_epoch(epoch_ + 1);
  while (cursor_ < batches_.size()) step();
  validate();
}

double Trainer::validate() {
  const Settings settings(switches_);
  const c10::NoGradGuard no_gradients;
  const auto& dataset = *job_.dataset;
  double sum = 0;
  std::int64_t batches = 0;
  for (auto begin = dataset.training; begin + job_.batch_size <= dataset.training + dataset.validation;
       begin += job_.batch_size, ++batches) {
    Numbers numbers(static_cast<std::size_t>(job_.batch_size));
    std::iota(numbers.begin(), numbers.end(), begin);
    sum += loss_of(fetch(numbers), Mode::evaluation).item<double>();
  }
  return sum / static_cast<double>(std::max<std::int64_t>(1, batches));
}

std::vector<float> Trainer::losses() const {
  if (losses_.empty()) return {};
  const auto all = at::stack(losses_).cpu();
  const auto* data = all.const_data_ptr<float>();
  std::vector<float> values(data, data + all.numel());
  const auto bad = std::ranges::find_if(values, [](float loss) { return !std::isfinite(loss); });
  if (bad != values.end())
    throw std::runtime_error(fmt::format("batch {}: the loss is not finite", bad - values.begin() + 1));
  return values;
}

std::vector<float> Trainer::first_step() const {
  if (losses_.size() != 1) throw std::logic_error("a first step is asked for after none or several");
  const c10::NoGradGuard no_gradients;
  std::vector<at::Tensor> gradients, ways, products;
  for (std::size_t i = 0; i < network_.parameters.size(); ++i) {
    const auto& parameter = network_.parameters[i].second;
    const auto way = parameter - first_parameters_[i].second;
    gradients.push_back(parameter.grad().norm());
    ways.push_back(way.norm());
    products.push_back((way * parameter.grad()).sum());
  }
  const auto norm = [](const std::vector<at::Tensor>& norms) {
    return at::stack(norms).norm().item<float>();
  };
  return {losses().front(), norm(gradients), norm(ways), at::stack(products).sum().item<float>()};
}

}  // namespace workloads::training
