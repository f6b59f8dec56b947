// Let a compiler fuse a chain of pointwise operators: two cosines, and GELU out of five operators.
//
// Question: The compiler writes one loop for the whole chain: one pass over memory instead of two for the
// cosines, and instead of five for GELU. Which of the two gains more on your machine?
//
// torch.compile reads the operators of a function and writes a program for them: C++ for a CPU, Triton for a
// GPU. Its most important idea is fusion. Each operator alone reads and writes a whole tensor; in the
// generated loop a value is loaded once, goes through all operators in a register, and is stored once. That
// saves passes over memory, calls or launches, and the memory of intermediate results. The loop is shown by
// `tuneproof explain --assembly compile/pointwise_chain`: between `loadu` and `store` an operator is a line.
//
// What it costs: the compiler runs for half a minute or more, once for each shape, type and machine; the row
// names the seconds. When it does not matter: where the library has the fused operator already (at::gelu
// is one), and where arithmetic and not memory takes the time, as a cosine does on one core.
//
// A row measures the same operators called one by one and as a package that torch's compiler made ahead of
// time (AOTInductor), which holds the code that torch.compile would run, without Python in front of it.
//
// Answer: GELU, where memory is the limit: five passes become one, against two becoming one. On two cores of
// an EPYC GELU became 5.9 times as fast, the cosines 4.8 times (commit 03cee4c). Saved passes cannot be the
// reason for the latter: two cosines in one pass with the library's own cosine gain nothing there
// (launch/fuse_cos_cos). So the compiler's cosine is faster, too.

#include "harness/libtorch/package.hpp"

#include "microbench/tip.hpp"
#include "microbench/values.hpp"

#include <numbers>

namespace microbench::compile_pointwise_chain {

constexpr std::string_view cos_cos = R"python(
def step(x):
    return (x.cos().cos(),)
)python";

constexpr std::string_view gelu = R"python(
def step(x):
    return (x * 0.5 * (torch.erf(x * 0.7071067811865476) + 1),)
)python";

constexpr std::int64_t large = 1 << 22;
constexpr Axis axes[] = {
    {.name = "chain",
     .about = "cos_cos: a cosine of a cosine; gelu: x/2 (1 + erf(x / sqrt 2)) out of five operators",
     .quick = {1},
     .labels = {"cos_cos", "gelu"}},
    {.name = "values",
     .about = "floats in the tensor",
     .values = {1 << 12, large, 1 << 24},
     .quick = {large}}};

struct State {
  at::Tensor x, y;
  at::Tensor called(bool as_gelu) const {
    if (!as_gelu) return x.cos().cos();
    return x.mul(0.5).mul(x.mul(1 / std::numbers::sqrt2).erf().add(1));
  }
};

bool takes(const Point& point, const Device& device) { return device.is_cuda() || point["values"] == large; }

Trial prepare(Setup& setup, const Point& point) {
  const bool as_gelu = point["chain"] == 1;
  const auto s = std::make_shared<State>();
  s->x = normal_values(setup, {point["values"]});
  const auto package = std::make_shared<const CompiledPackage>(
      CompileWish{.step = "compile/pointwise_chain", .source = as_gelu ? gelu : cos_cos, .inputs = {s->x}});
  return {
      .naive = [s, as_gelu] { s->y = s->called(as_gelu); },
      .optimized = [s, package] { s->y = (*package)({s->x}).front(); },
      .clear = [s] { s->y = at::full({1}, -7); },
      .answer = [s](Form) { return numbers_of(s->y); },
      .figures = [package]() -> std::vector<Figure> {
        return {{"to compile, once", "s", 0, package->compile_seconds()}};
      },
      .timer = device_timer(setup.device),
  };
}

extern constexpr Step step = checked({
    .id = "compile/pointwise_chain",
    .claim = "A compiler that fuses a chain of pointwise operators makes it faster.",
    .claim_ids = "fuse-cos-cos fuse-pointwise-chain",
    .sides = {"one by one", "compiled"},
    .source = tuning_guide("Fuse operations"),
    .axes = axes,
    .takes = takes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "2x for two cosines: two reads and writes instead of four",
                    .on_cpu = Outcome::helps,
                    .about = "chain:gelu"},
    .tolerance = {.relative = 1e-5,
                  .why = "the compiler's own erf and cosine round otherwise in the last bits"},
    .package_seconds = 40,
});

}  // namespace microbench::compile_pointwise_chain
