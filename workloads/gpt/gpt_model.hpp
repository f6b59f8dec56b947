// nanoGPT's GPT: learned positions, blocks with the norm in front, exact GELU, biases, and a head that is the
// token embedding itself. No dropout.
#pragma once

#include "workloads/training/network.hpp"

namespace workloads::gpt {

struct Shape {
  std::int64_t vocabulary = 256;
  std::int64_t block = 64;  // tokens that the model sees at most
  std::int64_t layers = 4;
  std::int64_t heads = 4;
  std::int64_t width = 128;
};

/// `matrix`: products, mask, softmax and product, each a pass over [block, block] for each head. `fused`: one
/// operator that never keeps that matrix.
enum class Attention { matrix, fused };

/// What the backward pass finds: all activations, or the input of each block, from which it computes them
/// again.
enum class Keep { all, inputs };

class LayerNorm {
 public:
  LayerNorm(training::State& state, const std::string& name, std::int64_t width);
  at::Tensor operator()(const at::Tensor& x) const;

 private:
  at::Tensor weight_, bias_;
};

/// x + attention(norm(x)), then x + MLP(norm(x)).
class Block {
 public:
  Block(training::State& state, const std::string& name, const Shape& shape);
  at::Tensor operator()(const at::Tensor& x, Attention attention) const;

 private:
  at::Tensor attend(const at::Tensor& x, Attention attention) const;

  std::int64_t heads_;
  LayerNorm ln_1_;
  training::Linear c_attn_, attn_proj_;
  LayerNorm ln_2_;
  training::Linear c_fc_, mlp_proj_;
};

class Model {
 public:
  Model(const Shape& shape, at::TensorOptions options);

  /// Logits [n, t, vocabulary] of tokens [n, t].
  at::Tensor forward(const at::Tensor& tokens, Attention attention, Keep keep = Keep::all) const;

  const Shape& shape() const { return shape_; }
  training::State& state() { return state_; }

 private:
  Shape shape_;
  training::State state_;
  at::Tensor wte_, wpe_;
  std::vector<Block> blocks_;
  LayerNorm ln_f_;
};

/// The model as the training loop knows it. The loss is the cross entropy of each next token; targets are [n,
/// t].
training::Network network(const Shape& shape, at::TensorOptions options);

/// The same for torch's compiler: training::CompiledWork::python.
std::string_view python();

}  // namespace workloads::gpt
