// Let FP32 matrix products run in TF32 on the tensor cores.
//
// Since Ampere the device has two ways to multiply FP32 matrices. The ordinary arithmetic units take all 24
// bits of each factor. The tensor cores are many times faster, but read each factor as TF32: the range of
// FP32 with 10 bits after the point instead of 23; products are still added up in FP32. LibTorch calls the
// first "highest" and the second "high", and uses "highest" unless it is told otherwise.
//
// What it costs is accuracy: the errors of both forms against FP64 stand beside the times. Training mostly
// shrugs it off; solvers, large sums of small differences and comparisons of runs do not.
//
// When it does not matter: for small matrices, where starting the kernel is the price; where matrix products
// are a small part of the time (the gain of the whole is at most their share); for devices before Ampere and
// for convolutions, which have a switch of their own and use TF32 by default.

#include "harness/cuda/memory.hpp"
#include "harness/torch/answer.hpp"
#include "harness/torch/matmul_precision.hpp"

#include "microbench/steps.hpp"

#include <cuda_runtime_api.h>

#include <ATen/ATen.h>
#include <ATen/cuda/CUDAGeneratorImpl.h>

#include <memory>

namespace microbench {
namespace {

using namespace harness;

constexpr std::int64_t sizes[] = {512, 1024, 2048, 4096, 8192};
constexpr std::int64_t quick_sizes[] = {512, 4096};
constexpr Axis axes[] = {
    {.name = "n", .about = "rows and columns of the matrices", .values = sizes, .quick = quick_sizes}};

/// out = a b, all of them n x n.
struct State {
  at::Tensor a, b, out;
  void multiply() { at::mm_out(out, a, b); }
};

void require_tf32(int device) {
  int major = 0;
  check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
  if (major < 8) throw Skip("TF32 needs compute capability 8.0 or above");
}

/// The largest error among the first rows, as a share of the mean absolute value, as PyTorch's notes give it.
double error(const State& s) {
  constexpr std::int64_t rows = 64;
  const auto exact = at::mm(s.a.narrow(0, 0, rows).to(at::kDouble), s.b.to(at::kDouble));
  const auto off = (s.out.narrow(0, 0, rows).to(at::kDouble) - exact).abs().max();
  return (off / exact.abs().mean()).item<double>();
}

Trial prepare(Setup& setup, const Point& point) {
  require_tf32(setup.device.index);
  const auto n = point["n"];
  require_device_memory(static_cast<std::size_t>(n * n) * (3 * sizeof(float) + sizeof(double)));
  auto generator = at::cuda::detail::createCUDAGenerator(static_cast<at::DeviceIndex>(setup.device.index));
  generator.set_current_seed(setup.seed);
  const auto options = at::TensorOptions().device(torch_device(setup.device)).dtype(at::kFloat);
  const auto s = std::make_shared<State>();
  s->a = at::randn({n, n}, generator, options);
  s->b = at::randn({n, n}, generator, options);
  s->out = at::empty({n, n}, options);

  const auto naive = [s] {
    const MatmulPrecision set("highest");
    s->multiply();
  };
  const auto optimized = [s] {
    const MatmulPrecision set("high");
    s->multiply();
  };
  return {
      .naive = naive,
      .optimized = optimized,
      .clear = [s] { s->out.fill_(-1); },
      .answer = [s](Form) { return numbers_of(s->out); },
      .figures = [s, naive, optimized]() -> std::vector<Figure> {
        naive();
        const auto of_naive = error(*s);
        optimized();
        return {{"largest error against FP64 / mean", "", of_naive, error(*s)}};
      },
      .timer = Timer::event,
  };
}

}  // namespace

constexpr Step precision_tf32_matmul{
    .id = "precision/tf32_matmul",
    .claim = "TF32 makes FP32 matrix products several times faster, at a larger error.",
    .claim_ids = "prec-tf32-matmul",
    .source = {.title = "PyTorch, CUDA semantics",
               .url = "https://docs.pytorch.org/docs/stable/notes/cuda.html",
               .where = "TensorFloat-32 (TF32) on Ampere (and later) devices"},
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "0.11 -> 0.016 s, error 3.9e-5 -> 2.2e-3 (A100, n = 10240)"},
    .tolerance = {.relative = 2e-3,
                  .why = "TF32 drops bits below 2^-10 of each factor: up to 2^-9 of each product."},
};
static_assert(well_formed(precision_tf32_matmul));

}  // namespace microbench
