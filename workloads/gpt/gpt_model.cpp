#include "workloads/gpt/gpt_model.hpp"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <cmath>
#include <limits>
#include <memory>

namespace workloads::gpt {
namespace {

using training::State;

constexpr std::int64_t mlp_factor = 4;

std::vector<Block> make_blocks(State& state, const Shape& shape) {
  std::vector<Block> blocks;
  for (std::int64_t i = 0; i < shape.layers; ++i)
    blocks.emplace_back(state, "transformer.h." + std::to_string(i), shape);
  return blocks;
}

/// Softmax(q k^T / sqrt(d)) v, where no token sees a later one.
at::Tensor matrix_attention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v) {
  const auto t = q.size(2);
  const auto scale = 1 / std::sqrt(static_cast<double>(q.size(3)));
  const auto later = at::ones({t, t}, q.options().dtype(at::kBool)).triu(1);
  const auto scores = at::matmul(q, k.transpose(-2, -1)) * scale;
  const auto weights = at::softmax(scores.masked_fill(later, -std::numeric_limits<double>::infinity()), -1);
  return at::matmul(weights, v);
}

}  // namespace

LayerNorm::LayerNorm(State& state, const std::string& name, std::int64_t width)
    : weight_(state.parameter(name + ".weight", {width})), bias_(state.parameter(name + ".bias", {width})) {}

at::Tensor LayerNorm::operator()(const at::Tensor& x) const {
  return at::layer_norm(x, weight_.sizes(), weight_, bias_, 1e-5);
}

Block::Block(State& state, const std::string& name, const Shape& shape)
    : heads_(shape.heads),
      ln_1_(state, name + ".ln_1", shape.width),
      c_attn_(state, name + ".attn.c_attn", {shape.width, 3 * shape.width}),
      attn_proj_(state, name + ".attn.c_proj", {shape.width, shape.width}),
      ln_2_(state, name + ".ln_2", shape.width),
      c_fc_(state, name + ".mlp.c_fc", {shape.width, mlp_factor * shape.width}),
      mlp_proj_(state, name + ".mlp.c_proj", {mlp_factor * shape.width, shape.width}) {}

at::Tensor Block::attend(const at::Tensor& x, Attention attention) const {
  const auto n = x.size(0), t = x.size(1), width = x.size(2);
  const auto parts = c_attn_(x).split(width, 2);
  const auto by_head = [&](const at::Tensor& part) {
    return part.view({n, t, heads_, width / heads_}).transpose(1, 2);
  };
  const auto q = by_head(parts[0]), k = by_head(parts[1]), v = by_head(parts[2]);
  const auto y = attention == Attention::fused
                     ? at::scaled_dot_product_attention(q, k, v, {}, /*dropout_p=*/0, /*is_causal=*/true)
                     : matrix_attention(q, k, v);
  return attn_proj_(y.transpose(1, 2).contiguous().view({n, t, width}));
}

at::Tensor Block::operator()(const at::Tensor& x, Attention attention) const {
  const auto seen = x + attend(ln_1_(x), attention);
  return seen + mlp_proj_(at::gelu(c_fc_(ln_2_(seen)), "none"));
}

Model::Model(const Shape& shape, at::TensorOptions options)
    : shape_(shape),
      state_(options),
      wte_(state_.parameter("transformer.wte.weight", {shape.vocabulary, shape.width})),
      wpe_(state_.parameter("transformer.wpe.weight", {shape.block, shape.width})),
      blocks_(make_blocks(state_, shape)),
      ln_f_(state_, "transformer.ln_f", shape.width) {}

at::Tensor Model::forward(const at::Tensor& tokens, Attention attention, Keep keep) const {
  const auto places = at::arange(tokens.size(1), tokens.options());
  auto x = at::embedding(wte_, tokens) + at::embedding(wpe_, places);
  for (const auto& block : blocks_) {
    const auto run = [&block, attention](const at::Tensor& in) { return block(in, attention); };
    x = keep == Keep::inputs && c10::GradMode::is_enabled() ? training::checkpointed(run, x) : run(x);
  }
  return at::linear(ln_f_(x), wte_);
}

training::Network network(const Shape& shape, at::TensorOptions options) {
  const auto model = std::make_shared<Model>(shape, options);
  return {.predict =
              [model](const at::Tensor& input, const training::Switches& switches, training::Mode) {
                return model->forward(input, switches.fused_attention ? Attention::fused : Attention::matrix,
                                      switches.checkpoint ? Keep::inputs : Keep::all);
              },
          .loss =
              [](const at::Tensor& output, const at::Tensor& target) {
                return at::cross_entropy_loss(output.flatten(0, 1), target.flatten());
              },
          .parameters = model->state().parameters(),
          .buffers = model->state().buffers()};
}

std::string_view python() {
  return R"python(
def linear(x, name, p):
    return F.linear(x, p[name + ".weight"], p[name + ".bias"])

def layer_norm(x, name, p):
    return F.layer_norm(x, x.shape[-1:], p[name + ".weight"], p[name + ".bias"], 1e-5)

def attend(x, name, p):
    n, t, width = x.shape
    parts = linear(x, name + ".c_attn", p).split(width, 2)
    heads = 4 if width == 128 else width // 64  # on a CPU, and as GPT-2 has them
    q, k, v = (part.view(n, t, heads, width // heads).transpose(1, 2) for part in parts)
    scores = q @ k.transpose(-2, -1) * (width // heads) ** -0.5
    later = torch.ones(t, t, dtype=torch.bool, device=x.device).triu(1)
    y = scores.masked_fill(later, float("-inf")).softmax(-1) @ v
    return linear(y.transpose(1, 2).reshape(n, t, width), name + ".c_proj", p)

def output_of(tokens, p, b):
    x = F.embedding(tokens, p["transformer.wte.weight"]) + p["transformer.wpe.weight"]
    for i in range(LAYERS):
        block = f"transformer.h.{i}."
        x = x + attend(layer_norm(x, block + "ln_1", p), block + "attn", p)
        hidden = F.gelu(linear(layer_norm(x, block + "ln_2", p), block + "mlp.c_fc", p))
        x = x + linear(hidden, block + "mlp.c_proj", p)
    return F.linear(layer_norm(x, "transformer.ln_f", p), p["transformer.wte.weight"])

def loss_of(output, y):
    return F.cross_entropy(output.flatten(0, 1), y.flatten())

LAYERS = sum(name.endswith(".ln_1.weight") for name in PARAMETERS)
)python";
}

}  // namespace workloads::gpt
