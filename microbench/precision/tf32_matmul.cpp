// Let FP32 matrix products run in TF32 on the tensor cores.
//
// Question: The source reports 7 times the speed at 56 times the error, for n = 10240. What do you expect
// here at n = 8192, and at n = 512?
//
// Since Ampere the device has two ways to multiply FP32 matrices. The ordinary arithmetic units take all 24
// bits of each factor. The tensor cores are many times faster, but read each factor as TF32: the range of
// FP32 with 11 significant bits; products are still added up in FP32. LibTorch calls the first "highest" and
// the second "high", and uses "highest" by default. Since PyTorch 2.9 the switch is also called
// `fp32_precision`, with "ieee" and "tf32"; a program should not use both names.
//
// "Many times" is the chip's: by data sheets 8 times on an A30 or A100, 7.4 on an H100, 2 on an A40, L4 or
// L40S. GeForce cards (RTX 3090, 4090, 5090) and the A10G have the same rate for both; there the gain is what
// FP32 units leave of their peak (53 -> 84 TFLOP/s published of an RTX 4090, docs/simulation.md), or none.
//
// What it costs is accuracy. Most training tolerates it; solvers, large sums of small differences and
// comparisons of runs do not.
//
// When it does not matter: for small matrices, where starting the kernel is the price; where matrix products
// are a small part of the time (the gain of the whole is at most their share); for devices before Ampere and
// for convolutions, which have a switch of their own and use TF32 by default.
//
// A row times one product of n x n matrices of normal random numbers. The errors of both sides against FP64
// stand beside the times.
//
// Answer: At 8,192 near the ratio of its data sheet, at 512 much less, since the kernel's start weighs. On
// the H200 here (commit 7400cad) n = 4096 took 2.69 -> 0.342 ms, a factor of 7.9, and the error grew from
// 1.4e-5 to 1.8e-3, by a factor of 134.

#include "harness/libtorch/precision.hpp"

#include "microbench/precision/judged_product.hpp"
#include "microbench/tip.hpp"
#include "microbench/values.hpp"

namespace microbench::precision_tf32_matmul {

constexpr Axis axes[] = {{.name = "n",
                          .about = "rows and columns of the matrices",
                          .values = {512, 1024, 2048, 4096, 8192, 10240},
                          .quick = {4096}}};

Trial prepare(Setup& setup, const Point& point) {
  require_capability(setup.device, 8, "TF32");
  const auto n = point["n"];
  require_device_memory(static_cast<std::size_t>(n * n) * (3 * sizeof(float) + sizeof(double)));
  const auto product = std::make_shared<JudgedProduct>(setup, n, n, at::kFloat);

  return product_trial(
      product,
      [product] {
        const MatmulPrecision set("highest");
        product->multiply();
      },
      [product] {
        const MatmulPrecision set("high");
        product->multiply();
      });
}

extern constexpr Step step = checked({
    .id = "precision/tf32_matmul",
    .claim = "TF32 makes FP32 matrix products several times faster, at a larger error.",
    .claim_ids = "prec-tf32-matmul",
    .sides = {"FP32", "TF32"},
    .source = tf32_notes,
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "0.11 -> 0.016 s, error 3.9e-5 -> 2.2e-3 (A100, n = 10240)",
                    .about = "n:8192"},
    .tolerance = {.relative = 2e-3,
                  .why = "TF32 drops bits below 2^-10 of each factor: up to 2^-9 of each product"},
    .suite = Suite::quick,
});

}  // namespace microbench::precision_tf32_matmul
