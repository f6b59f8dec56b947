// Multiply in float8, where the products are large enough to pay for the conversion.
//
// Question: An H100's tensor cores do twice as many float8 as BF16 operations a second, 1,979 against 989
// TFLOP/s at most. How much of that is left at n = 8192, and how much at n = 512, if both matrices are
// converted first?
//
// A float8 number (e4m3) has four significant bits and reaches to 448. Matrices are scaled so that their
// largest value just fits, rounded, multiplied on the tensor cores with sums in FP32, and scaled back. The
// peaks are NVIDIA's, without sparsity (glennklockwood.com/garden/processors/h100 lists them by type), and
// half as many bytes are read. But the scale wants a pass over each matrix for its largest value and another
// that divides and rounds: kernels that a BF16 product does not have, and that grow with n squared where the
// product grows with the third power.
//
// When it does not pay: for small products, whose conversions take longer than the product saves; where
// layers are called one by one without a compiler that fuses the conversion. It needs compute capability 8.9
// (RTX 4090, L4, L40S) or 9.0 and above. What it costs is accuracy: single products are off by up to an
// eighth, which sums of many even out.
//
// A row measures one product of n x n matrices in BF16, against both matrices scaled, rounded and multiplied.
//
// Answer: At n = 8192 most of it may be left, at n = 512 nothing: the conversions are the longer part.
// Compiled layers of 16,384 rows reached 0.94 times BF16's speed for weights of 8,192 x 1,280 (the source),
// and 1.47 times for 8,192 x 7,168; without a compiler, 0.130 -> 0.184 s (H100, pytorch/ao/issues/2262).

#include "harness/cuda/device.hpp"

#include "microbench/tip.hpp"
#include "microbench/values.hpp"

namespace microbench::precision_float8 {

constexpr std::int64_t small = 512;
constexpr Axis axes[] = {{.name = "n",
                          .about = "rows and columns of the matrices",
                          .values = {small, 2048, 8192},
                          .quick = {small}}};
constexpr double largest_float8 = 448;

void require_float8(const Device& device) {
  const auto of = [&](cudaDeviceAttr what) { return device_attribute(what, device.index); };
  if (10 * of(cudaDevAttrComputeCapabilityMajor) + of(cudaDevAttrComputeCapabilityMinor) < 89)
    throw Skip("float8 products need compute capability 8.9 or above");
}

struct State {
  State(const Setup& setup, std::int64_t n)
      : a(normal_values(setup, {n, n}).to(at::kBFloat16)),
        b(normal_values(setup, {n, n}, 1).to(at::kBFloat16).t()) {}  // the second one's columns lie together

  struct Scaled {
    at::Tensor values, scale;
  };
  static Scaled scaled(const at::Tensor& x) {
    const auto scale = x.abs().amax().to(at::kFloat) / largest_float8;
    return {(x / scale).to(at::kFloat8_e4m3fn), scale};
  }
  void multiply() { product = at::mm(a, b); }
  void multiply_scaled() {
    const auto left = scaled(a);
    const auto right = scaled(b);
    product = at::_scaled_mm(left.values, right.values, left.scale, right.scale, {}, {}, at::kBFloat16,
                             /*use_fast_accum=*/true);
  }
  at::Tensor a, b, product;
};

Trial prepare(Setup& setup, const Point& point) {
  require_float8(setup.device);
  const auto n = point["n"];
  require_device_memory(static_cast<std::size_t>(n * n) * 6 * sizeof(float));
  const auto s = std::make_shared<State>(setup, n);
  return {
      .naive = [s] { s->multiply(); },
      .optimized = [s] { s->multiply_scaled(); },
      .clear = [s] { s->product = at::full_like(s->a, -1); },
      .answer = [s](Form) { return numbers_of(s->product); },
      .timer = Timer::event,
  };
}

extern constexpr Step step = checked({
    .id = "precision/float8",
    .claim = "Large products are faster in float8, the conversion of both matrices included.",
    .sides = {"BF16", "float8"},
    .source = {"float8_experimental", "https://github.com/meta-pytorch/float8_experimental/pull/151",
               "pull request 151, the original results"},
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "0.94x (8192 x 1280) to 1.47x (8192 x 7168), compiled layers of 16,384 rows",
                    .about = "n:8192 n:512",
                    .hurts_at = "n:512"},
    .tolerance = {.relative = 0.125,
                  .why = "each factor is rounded to four bits: up to 2^-4 of it, so 2^-3 of each product"},
});

}  // namespace microbench::precision_float8
