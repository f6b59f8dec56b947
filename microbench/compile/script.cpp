// Script the function: TorchScript, torch.compile's forerunner.
//
// Question: `torch.jit.script` is deprecated and still advised. It turns the function into a program that
// runs without Python. What does it save when Python takes no part anyway, as here?
//
// A scripted function is run by TorchScript's interpreter, which calls the same operators in the same
// order. In Python that saves the interpreter's time between the operators; called from C++ there is none
// to save. Its fuser writes kernels for GPUs; on a CPU it needs a build with LLVM, which the published
// packages are not, so each operator still passes over memory by itself. torch.compile replaced it: since
// PyTorch 2.10 `torch.jit.script` warns of that, and since Python 3.14 it is not supported.
//
// What it costs: the first runs, which record shapes and optimize; a language of its own, which is a part of
// Python. When it does not matter: nearly always by now. What remains is loading an old model from C++.
//
// A row measures GELU out of five operators, called from C++ and scripted. Both sides allocate their
// intermediate results. The first runs of the scripted form lie before the timed ones.
//
// Answer: Nothing: without Python there is no time between the operators to save, and on a CPU without LLVM
// nothing is fused either. On two cores of an EPYC the interpreter cost 14 % at 1,024 values and could not be
// seen at 1,048,576 (commit 03cee4c).

#include "microbench/tip.hpp"
#include "microbench/values.hpp"

#include <torch/jit.h>

#include <numbers>

namespace microbench::compile_script {

constexpr auto python = R"python(
def gelu(x):
    return x * 0.5 * (torch.erf(x * 0.7071067811865476) + 1)
)python";

constexpr std::int64_t small = 1 << 10;
constexpr std::int64_t large = 1 << 20;
constexpr int warm_ups = 5;  // it records shapes, then optimizes
constexpr Axis axes[] = {{.name = "values", .about = "floats in the tensor", .values = {small, large}}};

struct State {
  at::Tensor x, y;
  std::shared_ptr<torch::jit::CompilationUnit> unit = torch::jit::compile(python);

  void call() { y = x.mul(0.5).mul(x.mul(1 / std::numbers::sqrt2).erf().add(1)); }
  void run_script() { y = unit->run_method("gelu", x).toTensor(); }
};

Trial prepare(Setup& setup, const Point& point) {
  const auto s = std::make_shared<State>();
  s->x = normal_values(setup, {point["values"]});
  for (int i = 0; i < warm_ups; ++i) s->run_script();
  return {
      .naive = [s] { s->call(); },
      .optimized = [s] { s->run_script(); },
      .clear = [s] { s->y = at::full({1}, -7); },
      .answer = [s](Form) { return numbers_of(s->y); },
      .timer = device_timer(setup.device),
  };
}

extern constexpr Step step = checked({
    .id = "compile/script",
    .claim = "A scripted chain of pointwise operators is faster than the same operators called one by one.",
    .claim_ids = "fuse-pointwise-chain",
    .sides = {"one by one", "scripted"},
    .source = tuning_guide("Fuse operations"),
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
    .tolerance = {.relative = 1e-5, .why = "a fuser may have its own erf"},
});

}  // namespace microbench::compile_script
