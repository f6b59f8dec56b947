// Compile the block that a model repeats, once, instead of the whole model.
//
// Question: A model is twelve equal blocks. The compiler is given all of them, or one that is then called
// twelve times. What is saved until the first result, and is anything lost in a million?
//
// A compiler's time grows with what it is given: it traces each of the twelve blocks, plans it, and writes
// code for it, though eleven times the same comes out. Given one block with its parameters as inputs, it does
// all that once, and the code runs with the parameters of each block in turn. In Python that is
// `for block in blocks: block.compile()`: since PyTorch 2.5 the code of the first block serves the others.
//
// What it costs: what lies outside the blocks is not compiled, nothing is fused across their borders, and
// each block is a call of its own with its checks. Published for a small model (Llama-3.2-1B, accelerate's
// pull request 3529): 10.7 -> 1.95 s to compile, but 6.3 -> 9.7 ms a run of one sequence, and 10.0 ms both
// ways with four. When it does not matter: for models without repeated blocks, and where the code is kept and
// found again.
//
// A row compares seconds until so many runs are done: compiling, with the seconds that it took when the
// packages were made, and then the runs, by the median of some in each round. `runs:1` is the first result,
// `runs:1000000` a service that stays. The blocks are those of a transformer of width 64, on 4 sequences of
// 32 positions, forward only. Both sides are called from C++: what Python checks before a call is in neither.
//
// Answer: Until the first result most of what the compiler needs for the other eleven blocks; the rest is
// Python's start and the compiler's, which both sides pay. In a million runs what counts is a run: much the
// same where the blocks are large, and the whole model ahead where the calls weigh.

#include "harness/libtorch/package.hpp"

#include "microbench/compile/run_seconds.hpp"
#include "microbench/tip.hpp"
#include "microbench/values.hpp"

namespace microbench::compile_regional {

constexpr std::string_view blocks_in_python = R"python(
F = torch.nn.functional

def block(x, into, out, up, down):
    h = F.layer_norm(x, (64,))
    q, k, v = F.linear(h, into).view(4, 32, 3, 4, 16).permute(2, 0, 3, 1, 4)
    a = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    x = x + F.linear(a.transpose(1, 2).reshape(4, 32, 64), out)
    return x + F.linear(F.gelu(F.linear(F.layer_norm(x, (64,)), up)), down)

def step(x, *p):
    for i in range(0, len(p), 4):  # all blocks, or the one that it is given
        x = block(x, *p[i:i + 4])
    return (x,)
)python";

constexpr int blocks = 12;
constexpr std::int64_t first = 1;
constexpr Axis axes[] = {
    {.name = "runs", .about = "after compiling", .values = {first, 1'000'000}, .quick = {first}}};

using Tensors = std::vector<at::Tensor>;

Tensors weights_of(const Setup& setup) {
  constexpr std::int64_t shapes[][2] = {{192, 64}, {64, 64}, {256, 64}, {64, 256}};
  Tensors all;
  for (int i = 0; i < blocks; ++i)
    for (const auto& [out, in] : shapes)
      all.push_back(normal_values(setup, {out, in}, all.size() + 1) / std::sqrt(static_cast<double>(in)));
  return all;
}

struct State {
  explicit State(const Setup& setup)
      : x(normal_values(setup, {4, 32, 64})),
        weights(weights_of(setup)),
        whole(wish(inputs(x, 0, weights.size()))),
        one(wish(inputs(x, 0, of_block))) {}

  static CompileWish wish(const Tensors& inputs) {
    return {.step = "compile/regional", .source = blocks_in_python, .inputs = inputs};
  }
  Tensors inputs(const at::Tensor& in, std::size_t from, std::size_t count) const {
    Tensors all{in};
    for (const auto& weight : std::span(weights).subspan(from, count)) all.push_back(weight);
    return all;
  }
  void run_whole() { y = whole(inputs(x, 0, weights.size())).front(); }
  void run_blocks() {
    y = x;
    for (std::size_t i = 0; i < weights.size(); i += of_block) y = one(inputs(y, i, of_block)).front();
  }

  static constexpr std::size_t of_block = 4;
  at::Tensor x, y;
  Tensors weights;
  CompiledPackage whole, one;
};

std::vector<Figure> totals(State& s, const Device& device, double runs) {
  const auto whole = run_seconds(device, [&] { s.run_whole(); });
  const auto one = run_seconds(device, [&] { s.run_blocks(); });
  return {{"compiling and all runs", "s", s.whole.compile_seconds() + runs * whole,
           s.one.compile_seconds() + runs * one},
          {"to compile, once", "s", s.whole.compile_seconds(), s.one.compile_seconds()},
          {"a run", "ms", 1e3 * whole, 1e3 * one}};
}

Trial prepare(Setup& setup, const Point& point) {
  const auto s = std::make_shared<State>(setup);
  const auto runs = static_cast<double>(point["runs"]);
  return {
      .naive = [s] { s->run_whole(); },
      .optimized = [s] { s->run_blocks(); },
      .clear = [s] { s->y = at::full({1}, -7); },
      .answer = [s](Form) { return numbers_of(s->y); },
      .figures = [s, runs, device = setup.device] { return totals(*s, device, runs); },
      .statistic = Statistic::figure,
  };
}

extern constexpr Step step = checked({
    .id = "compile/regional",
    .claim = "A model whose repeated block is compiled once is ready sooner than one compiled whole.",
    .sides = {"whole model", "one block"},
    .source = {"SGLang", "https://github.com/sgl-project/sglang/pull/28193", "pull request 28193, its table"},
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "50.7 -> 8.1 s to compile; 7.6 -> 7.7 s an image (H200)",
                    .about = "runs:1"},
    .tolerance = {.relative = 1e-4, .why = "loops fused across blocks may round otherwise"},
    .package_seconds = 120,
});

}  // namespace microbench::compile_regional
