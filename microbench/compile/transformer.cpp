#include "microbench/compile/transformer.hpp"

#include "harness/libtorch/answer.hpp"

#include "microbench/values.hpp"

#include <torch/csrc/autograd/autograd.h>

#include <cmath>
#include <limits>

namespace microbench {
namespace {

constexpr std::int64_t positions = 32;
constexpr std::int64_t width = 64;
constexpr std::int64_t heads = 4;
constexpr std::int64_t classes = 65;
constexpr int blocks = 2;
constexpr std::size_t of_block = 12;  // parameters
constexpr double rate = 0.05;

/// The same training step, in Python for its compiler.
constexpr std::string_view python = R"python(
F = torch.nn.functional

def block(x, p):
    batch, positions, width = x.shape
    h = F.layer_norm(x, (width,), p[0], p[1])
    q, k, v = F.linear(h, p[2], p[3]).view(batch, positions, 3, 4, width // 4).permute(2, 0, 3, 1, 4)
    a = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    x = x + F.linear(a.transpose(1, 2).reshape(batch, positions, width), p[4], p[5])
    h = F.layer_norm(x, (width,), p[6], p[7])
    return x + F.linear(F.gelu(F.linear(h, p[8], p[9])), p[10], p[11])

def step(x, y, *parameters):
    p = [each.detach().requires_grad_() for each in parameters]
    h = block(block(x, p[0:12]), p[12:24])
    loss = F.cross_entropy(F.linear(h, p[24], p[25]).flatten(0, 1), y)
    gradients = torch.autograd.grad(loss, p)
    for parameter, gradient in zip(parameters, gradients):
        parameter.sub_(gradient, alpha=0.05)
    return (loss.detach(),)
)python";

at::Tensor block(const at::Tensor& x, const at::Tensor* p) {
  const auto batch = x.size(0);
  auto h = at::layer_norm(x, {width}, p[0], p[1]);
  const auto qkv = at::linear(h, p[2], p[3]).view({batch, positions, 3, heads, width / heads});
  const auto parts = qkv.permute({2, 0, 3, 1, 4}).unbind();
  const auto a = at::scaled_dot_product_attention(parts[0], parts[1], parts[2], {}, 0.0, /*is_causal=*/true);
  const auto y = x + at::linear(a.transpose(1, 2).reshape({batch, positions, width}), p[4], p[5]);
  h = at::layer_norm(y, {width}, p[6], p[7]);
  return y + at::linear(at::gelu(at::linear(h, p[8], p[9])), p[10], p[11]);
}

/// Norms begin with ones and zeros, the rest with small values.
std::vector<at::Tensor> first_parameters(const harness::Setup& setup) {
  std::vector<at::Tensor> all;
  std::uint64_t which = 2;
  const auto linear = [&](std::int64_t in, std::int64_t out) {
    all.push_back(normal_values(setup, {out, in}, ++which) / std::sqrt(static_cast<double>(in)));
    all.push_back(at::zeros({out}, floats_on(setup.device)));
  };
  const auto norm = [&] {
    all.push_back(at::ones({width}, floats_on(setup.device)));
    all.push_back(at::zeros({width}, floats_on(setup.device)));
  };
  for (int i = 0; i < blocks; ++i) {
    norm();
    linear(width, 3 * width);
    linear(width, width);
    norm();
    linear(width, 4 * width);
    linear(4 * width, width);
  }
  linear(width, classes);
  return all;
}

std::vector<at::Tensor> copies_of(const std::vector<at::Tensor>& tensors) {
  std::vector<at::Tensor> copies;
  for (const auto& tensor : tensors) copies.push_back(tensor.clone());
  return copies;
}

std::vector<at::Tensor> joined(const at::Tensor& x, const at::Tensor& y,
                               const std::vector<at::Tensor>& more) {
  std::vector<at::Tensor> all{x, y};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace

Transformer::Transformer(const harness::Setup& setup, std::int64_t batch)
    : x_(normal_values(setup, {batch, positions, width})),
      y_(at::arange(batch * positions, floats_on(setup.device).dtype(at::kLong)).remainder(classes)),
      start_(first_parameters(setup)),
      parameters_(copies_of(start_)),
      package_({.step = "compile/small_model", .source = python, .inputs = joined(x_, y_, parameters_)}) {}

at::Tensor Transformer::loss_of(const std::vector<at::Tensor>& p) const {
  auto h = x_;
  for (int i = 0; i < blocks; ++i) h = block(h, p.data() + i * of_block);
  const auto scores = at::linear(h, p[blocks * of_block], p[blocks * of_block + 1]);
  return at::cross_entropy_loss(scores.flatten(0, 1), y_);
}

void Transformer::train_eagerly() {
  std::vector<at::Tensor> leaves;
  for (const auto& parameter : parameters_) leaves.push_back(parameter.detach().requires_grad_());
  const auto loss = loss_of(leaves);
  const auto gradients = torch::autograd::grad({loss}, leaves);
  at::_foreach_add_(parameters_, gradients, -rate);
  loss_ = loss.detach();
}

void Transformer::train_compiled() { loss_ = package_(joined(x_, y_, parameters_)).front(); }

void Transformer::reset() {
  for (std::size_t i = 0; i < start_.size(); ++i) parameters_[i].copy_(start_[i]);
  loss_ = at::full({}, std::numeric_limits<double>::quiet_NaN(), x_.options());
}

harness::Answer Transformer::answer() const {
  std::vector<at::Tensor> all{loss_.view({1})};
  for (const auto& parameter : parameters_) all.push_back(parameter.flatten());
  return harness::numbers_of(at::cat(all));
}

}  // namespace microbench
