#include "workloads/gpt/python.hpp"

namespace workloads::gpt {

std::string_view python() {
  return R"python(
def linear(x, name, p):
    return F.linear(x, p[name + ".weight"], p[name + ".bias"])

def layer_norm(x, name, p):
    return F.layer_norm(x, x.shape[-1:], p[name + ".weight"], p[name + ".bias"], 1e-5)

def attend(x, name, p):
    n, t, width = x.shape
    parts = linear(x, name + ".c_attn", p).split(width, 2)
    q, k, v = (part.view(n, t, HEADS, width // HEADS).transpose(1, 2) for part in parts)
    scores = q @ k.transpose(-2, -1) * (width // HEADS) ** -0.5
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

HEADS, LAYERS = 4, 4
)python";
}

}  // namespace workloads::gpt
