// Compile for sizes that vary, once, or for each size that comes.
//
// Question: One package that takes any number of rows, or one for the number that comes. The first is
// compiled once for all of them; what does it lose at each call?
//
// A compiler that knows a size writes it into the code: loops of a fixed length that it can unroll, no
// arithmetic for strides, no remainder where the length is a multiple of a vector's. Told that a size varies,
// it keeps the size as a variable and checks what it assumed. torch.compile starts with fixed sizes, and when
// a second size comes it compiles again for any (0 and 1 stay apart); `dynamic=True` says so at once. With
// `dynamic=False` each size is compiled anew, up to eight times (`torch._dynamo.config.recompile_limit`, up
// to PyTorch 2.6 `cache_size_limit`): from the ninth size on the function runs uncompiled, with a warning.
//
// What it costs: the fixed form pays the compiler for each new size, the half minute that the row names;
// batches of hundreds of lengths never pay that back. When it does not matter: where one size is all there
// is, or where the loops are so long that their bounds are nothing. Padding to a few sizes is the third way
// (`launch/fuse_dynamic_recompile`).
//
// A row measures a layer norm and a GELU over a batch of 64 values a row: the first side by a package
// compiled for any number of rows (it saw 24 more when it was compiled), the second side by one for
// exactly this number.
//
// Answer: It loses fixed loop lengths and strides: remainders and a few checks in each call, usually a small
// part of the time and less the more rows there are. So the dynamic package is the right one unless a single
// size fills the run.

#include "harness/libtorch/package.hpp"

#include "microbench/tip.hpp"
#include "microbench/values.hpp"

namespace microbench::compile_dynamic_shapes {

constexpr std::string_view python = R"python(
F = torch.nn.functional

def step(x):
    return (F.gelu(F.layer_norm(x, (64,))),)
)python";

constexpr std::int64_t width = 64;
constexpr Axis axes[] = {{.name = "rows", .about = "of the batch", .values = {40, 4096}, .quick = {40}}};

struct State {
  State(const Setup& setup, std::int64_t rows)
      : x(normal_values(setup, {rows, width})),
        any(wish(normal_values(setup, {rows + 24, width}), {0})),
        own(wish(x, {})) {}

  static CompileWish wish(const at::Tensor& shown, std::vector<std::size_t> varies) {
    return {
        .step = "compile/dynamic_shapes", .source = python, .inputs = {shown}, .varies = std::move(varies)};
  }
  at::Tensor x, y;
  CompiledPackage any, own;
};

/// On the CPU the small size decides.
bool takes(const Point& point, const Device& device) { return device.is_cuda() || point["rows"] == 40; }

Trial prepare(Setup& setup, const Point& point) {
  const auto s = std::make_shared<State>(setup, point["rows"]);
  return {
      .naive = [s] { s->y = s->any({s->x}).front(); },
      .optimized = [s] { s->y = s->own({s->x}).front(); },
      .clear = [s] { s->y = at::full({1}, -7); },
      .answer = [s](Form) { return numbers_of(s->y); },
      .figures = [s]() -> std::vector<Figure> {
        return {{"to compile, once", "s", s->any.compile_seconds(), s->own.compile_seconds()}};
      },
      .timer = device_timer(setup.device),
  };
}

extern constexpr Step step = checked({
    .id = "compile/dynamic_shapes",
    .claim = "A package for one size is faster than one for any size.",
    .claim_ids = "fuse-dynamic-recompile",
    .sides = {"any size", "one size"},
    .source = {.title = "PyTorch, Dynamic Shapes",
               .url = "https://docs.pytorch.org/docs/stable/torch.compiler_dynamic_shapes.html",
               .where = "its introduction: specialization, and recompiling for a second size"},
    .axes = axes,
    .takes = takes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
    .tolerance = {.relative = 1e-5, .why = "sums of a row may be cut into other parts"},
    .row_seconds = 6,
    .package_seconds = 80,
});

}  // namespace microbench::compile_dynamic_shapes
