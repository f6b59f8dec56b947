#include "workloads/training/compiled_step.hpp"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <fmt/format.h>

namespace workloads::training {
namespace {

/// What every model's step has around its forward pass. Names and numbers stand in front of it.
constexpr std::string_view around = R"python(
F = torch.nn.functional

def batch_norm(x, name, p, b):
    type, x = x.dtype, x.to(p[name + ".weight"].dtype)
    variance, mean = torch.var_mean(x, (0, 2, 3), correction=0)
    values = x.numel() // x.shape[1]
    b[name + ".running_mean"].lerp_(mean.detach(), 0.1)
    b[name + ".running_var"].lerp_(variance.detach() * (values / (values - 1)), 0.1)
    scale = p[name + ".weight"] * torch.rsqrt(variance + 1e-5)
    return (x * scale[:, None, None] + (p[name + ".bias"] - mean * scale)[:, None, None]).to(type)

def step(count, x, y, *state):
    n, m = len(PARAMETERS), len(BUFFERS)
    p = {name: each.detach().requires_grad_() for name, each in zip(PARAMETERS, state)}
    b = dict(zip(BUFFERS, state[n:n + m]))
    means, squares = state[n + m:2 * n + m], state[2 * n + m:]
    with torch.autocast(x.device.type, torch.bfloat16, enabled=BF16):
        output = output_of(x, p, b)
    loss = loss_of(output.to(state[0].dtype), y)
    gradients = torch.autograd.grad(loss, list(p.values()))
    if CLIP:
        norm = torch.stack([each.square().sum() for each in gradients]).sum().sqrt()
        factor = (CLIP / (norm + 1e-6)).clamp(max=1)
        gradients = [each * factor for each in gradients]
    rate = RATE * (1 - count / FALLS_OVER).clamp(min=0) if FALLS_OVER else RATE
    count.add_(1)
    one, two = 1 - torch.pow(BETA1, count), 1 - torch.pow(BETA2, count)
    for weight, g, mean, square, decay in zip(state, gradients, means, squares, DECAYS):
        mean.lerp_(g, 1 - BETA1)
        square.mul_(BETA2).addcmul_(g, g, value=1 - BETA2)
        weight.copy_(weight * (1 - rate * decay) - rate / one * mean / ((square / two).sqrt() + 1e-8))
    return (loss.detach(),)
)python";

std::string list_of_names(const NamedTensors& tensors) {
  std::string list;
  for (const auto& [name, tensor] : tensors) list += fmt::format("'{}', ", name);
  return "[" + list + "]";
}

std::string source(const CompiledWork& work, const Network& network) {
  if (work.recipe.algorithm != Algorithm::adamw)
    throw std::logic_error("the compiled step knows AdamW alone");
  std::string decays;
  for (const auto& [name, tensor] : network.parameters)
    decays += fmt::format(
        "{}, ", work.recipe.decays_matrices_only && tensor.dim() < 2 ? 0 : work.recipe.weight_decay);
  return fmt::format("PARAMETERS = {}\nBUFFERS = {}\nDECAYS = [{}]\nBF16 = {}\n",
                     list_of_names(network.parameters), list_of_names(network.buffers), decays,
                     work.bf16 ? "True" : "False") +
         fmt::format("RATE, FALLS_OVER, BETA1, BETA2, CLIP = {}, {}, {}, {}, {}\n", work.recipe.learning_rate,
                     work.recipe.rate_falls_over, work.recipe.beta1, work.recipe.beta2, work.clip) +
         std::string(around) + std::string(work.python);
}

std::vector<at::Tensor> state_of(const NamedTensors& parameters, const NamedTensors& buffers) {
  std::vector<at::Tensor> all;
  for (const auto* tensors : {&parameters, &buffers})
    for (const auto& [name, tensor] : *tensors) all.push_back(tensor.detach());
  for (int moment = 0; moment < 2; ++moment)
    for (const auto& [name, tensor] : parameters) all.push_back(at::zeros_like(tensor.detach()));
  return all;
}

std::vector<at::Tensor> together(const at::Tensor& count, const std::vector<at::Tensor>& batch,
                                 const std::vector<at::Tensor>& state) {
  std::vector<at::Tensor> all{count};
  for (const auto* tensors : {&batch, &state}) all.insert(all.end(), tensors->begin(), tensors->end());
  return all;
}

harness::CompileWish with_inputs(harness::CompileWish wish, std::vector<at::Tensor> inputs) {
  wish.inputs = std::move(inputs);
  return wish;
}

}  // namespace

CompiledStep::CompiledStep(harness::CompileWish wish, const NamedTensors& parameters,
                           const NamedTensors& buffers)
    : state_(state_of(parameters, buffers)),
      moments_(parameters.size() + buffers.size()),
      count_(at::zeros({}, parameters.front().second.options().requires_grad(false))),
      package_(with_inputs(wish, inputs(wish.inputs))) {}

std::vector<at::Tensor> CompiledStep::inputs(const std::vector<at::Tensor>& batch) const {
  return together(count_, batch, state_);
}

at::Tensor CompiledStep::operator()(const std::vector<at::Tensor>& batch) const {
  const c10::NoGradGuard no_gradients;
  return package_(inputs(batch)).front();
}

void CompiledStep::rehearse(const std::vector<at::Tensor>& batch) const {
  const c10::NoGradGuard no_gradients;
  auto copies = inputs(batch);
  for (auto& tensor : copies) tensor = tensor.clone();
  package_(copies);
}

void CompiledStep::reset() {
  count_.zero_();
  for (auto i = moments_; i < state_.size(); ++i) state_[i].zero_();
}

CompiledStep compile_step(const CompiledWork& work, const Network& network, const Sample& sample) {
  const auto text = source(work, network);
  return {{.step = work.step, .source = text, .inputs = {sample.input, sample.target}},
          network.parameters,
          network.buffers};
}

}  // namespace workloads::training
