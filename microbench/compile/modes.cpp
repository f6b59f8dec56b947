// Let the compiler search for the best products (max-autotune) instead of calling the library's.
//
// Question: In its usual mode the compiler leaves matrix products to the library. With max-autotune it writes
// several of its own, times them while it compiles, and keeps the fastest. Does one of them beat the library?
//
// A generated product can take what follows it, a bias and a GELU, into the block that it has just computed,
// which the library's cannot. On a CPU the compiler packs constant weights beforehand in the order in which
// its loops read them; so the weights are in the package, and this is for inference. The third mode,
// reduce-overhead, is no other code: it replays a CUDA graph of the same package (`reduce_overhead`, on a
// device only), and saves launches. In Python, max-autotune on a GPU does both, searches and replays a graph;
// `max-autotune-no-cudagraphs` searches alone, as this row does.
//
// What it costs: compiling takes longer, since every candidate is compiled and timed, and on a busy machine
// the choice is left to chance. When it does not matter: where the library's product wins the search, which
// makes both packages the same, or where products are large and the library is at the machine's peak.
//
// A row measures two linear layers with a GELU between them, 128 to 512 to 128 features: the first side by
// the package of the default mode, the second by that of the other mode.
//
// Answer: Sometimes, and rarely by much: the library is tuned for plain products, so a generated one wins
// mainly where it takes the bias and the GELU into its blocks. Where the library wins the search both
// packages are the same. Measure the row on your machine.

#include "harness/libtorch/package.hpp"
#include "harness/libtorch/torch_graph.hpp"

#include "microbench/tip.hpp"
#include "microbench/values.hpp"

namespace microbench::compile_modes {

constexpr std::string_view python = R"python(
F = torch.nn.functional
torch.manual_seed(1)
first = torch.randn(512, 128) / 11
second = torch.randn(128, 512) / 22

def step(x):
    a, b = first.to(x.device), second.to(x.device)
    return (F.linear(F.gelu(F.linear(x, a)), b),)
)python";

constexpr std::int64_t reduce_overhead = 1;
constexpr Axis axes[] = {
    {.name = "mode",
     .about = "max_autotune: products searched for; reduce_overhead: a CUDA graph of the default package",
     .quick = {0, 1},
     .labels = {"max_autotune", "reduce_overhead"}},
    {.name = "rows", .about = "of the input", .values = {16, 512}, .quick = {16}}};

struct State {
  State(const Setup& setup, const Point& point)
      : x(normal_values(setup, {point["rows"], 128})),
        usual(wish(x, CompileMode::normal)),
        other(point["mode"] == reduce_overhead ? usual
                                               : CompiledPackage(wish(x, CompileMode::max_autotune))) {}

  static CompileWish wish(const at::Tensor& x, CompileMode mode) {
    return {.step = "compile/modes", .source = python, .inputs = {x}, .varies = {}, .mode = mode};
  }
  at::Tensor x, y, captured_y;
  CompiledPackage usual, other;
  std::unique_ptr<at::cuda::CUDAGraph> graph;
};

bool takes(const Point& point, const Device& device) {
  return device.is_cuda() || point["mode"] != reduce_overhead;
}

Trial prepare(Setup& setup, const Point& point) {
  const auto s = std::make_shared<State>(setup, point);
  std::function<void()> optimized = [s] { s->y = s->other({s->x}).front(); };
  if (point["mode"] == reduce_overhead) {
    s->graph = captured([&] { s->captured_y = s->usual({s->x}).front(); });
    optimized = [s] {
      s->graph->replay();
      s->y = s->captured_y;
    };
  }
  return {
      .naive = [s] { s->y = s->usual({s->x}).front(); },
      .optimized = optimized,
      .clear = [s] { s->y = at::full({1}, -7); },
      .answer = [s](Form) { return numbers_of(s->y); },
      .figures = [s]() -> std::vector<Figure> {
        return {{"to compile, once", "s", s->usual.compile_seconds(), s->other.compile_seconds()}};
      },
      .timer = device_timer(setup.device),
  };
}

extern constexpr Step step = checked({
    .id = "compile/modes",
    .claim = "A package whose products were searched for (max-autotune) is faster than the default one.",
    .claim_ids = "fuse-compile",
    .sides = {"default", "other mode"},
    .source = {.title = "PyTorch, torch.compile",
               .url = "https://docs.pytorch.org/docs/stable/generated/torch.compile.html",
               .where = "the parameter mode"},
    .axes = axes,
    .takes = takes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
    .tolerance = {.relative = 1e-4, .why = "another product adds up in another order"},
    .cuda_tolerance = {.relative = 1e-3, .why = "another product adds up in another order"},
    .package_seconds = 80,
});

}  // namespace microbench::compile_modes
