#include "microbench/autograd/autograd_layers.hpp"

#include "harness/libtorch/answer.hpp"
#include "harness/libtorch/generator.hpp"
#include "harness/libtorch/work_counts.hpp"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>

#include <cmath>
#include <limits>
#include <utility>

namespace microbench {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// Layers whose backward pass begins by running them again, this time with a graph.
struct Checkpointed : torch::autograd::Function<Checkpointed> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& stacked) {
    context->save_for_backward({x, stacked});
    return apply_layers(x, stacked);  // autograd is off in here
  }

  static variable_list backward(AutogradContext* context, const variable_list& of_output) {
    const bool of_input_too = context->needs_input_grad(0);
    const auto saved = context->get_saved_variables();
    const at::Tensor x = saved[0].detach().requires_grad_(of_input_too);
    const at::Tensor stacked = saved[1].detach().requires_grad_();
    const c10::AutoGradMode recording(true);
    const auto output = apply_layers(x, stacked);
    if (of_input_too) return torch::autograd::grad({output}, {x, stacked}, of_output);
    return {at::Tensor(), torch::autograd::grad({output}, {stacked}, of_output).front()};
  }
};

}  // namespace

at::Tensor apply_layers(at::Tensor x, const at::Tensor& stacked) {
  for (const auto& weight : stacked.unbind()) x = at::relu(at::mm(x, weight));
  return x;
}

at::Tensor apply_layers_checkpointed(const at::Tensor& x, const at::Tensor& stacked) {
  return Checkpointed::apply(x, stacked);
}

Layers::Layers(const harness::Setup& setup, std::int64_t layers, std::int64_t width, std::int64_t batch) {
  const auto device = harness::torch_device(setup.device);
  const auto generator = harness::host_generator(setup.seed);
  // So large that the values neither grow nor vanish on their way.
  const auto scale = std::sqrt(2 / static_cast<double>(width));
  input = at::randn({batch, width}, generator).to(device);
  weights = at::randn({layers, width, width}, generator).mul_(scale).to(device).requires_grad_();
  clear();
}

void Layers::backward(const at::Tensor& output, double share) {
  output.square().mean().mul(share).backward();
}

void Layers::take_gradient() { gradient = std::exchange(weights.mutable_grad(), at::Tensor()); }

void Layers::train() {
  backward(apply_layers(input, weights));
  take_gradient();
}

void Layers::clear() { gradient = at::full_like(weights.detach(), std::numeric_limits<double>::quiet_NaN()); }

harness::Answer Layers::answer() const { return harness::numbers_of(gradient); }

harness::Trial gradient_trial(const std::shared_ptr<Layers>& layers, const std::function<void()>& naive,
                              const std::function<void()>& optimized) {
  return {
      .naive = naive,
      .optimized = optimized,
      .clear = [layers] { layers->clear(); },
      .answer = [layers](harness::Form) { return layers->answer(); },
      .figures = [layers, naive,
                  optimized] { return peak_figures(naive, optimized, [&] { layers->gradient.reset(); }); },
  };
}

std::vector<harness::Figure> peak_figures(const std::function<void()>& naive,
                                          const std::function<void()>& optimized,
                                          const std::function<void()>& drop) {
  constexpr double mib = 1 << 20;
  drop();
  const auto of_naive = harness::peak_bytes(naive) / mib;
  drop();
  return {{"peak memory", "MiB", of_naive, harness::peak_bytes(optimized) / mib}};
}

}  // namespace microbench
