// Let products of FP16 matrices add up in FP16, on the devices where that is faster.
//
// Question: Products of FP16 numbers can be added up in FP32 or in FP16. Is FP16 faster on your device, and
// how many digits are left at n = 4096?
//
// Tensor cores multiply FP16 numbers exactly and add the products up in FP32. On most consumer cards the rate
// with FP32 sums is half of the rate with FP16 sums: the maker has cut it to tell them from the cards for
// data centers, where both rates are equal. LibTorch uses FP32 sums by default; the switch,
// `allow_fp16_accumulation`, came with PyTorch 2.7.
//
// What it costs is accuracy, and much of it: each addition rounds to 11 bits, so the error grows with the
// number of products, and a sum above 65504 is infinite. Inference of networks that were trained in FP16
// often survives it; training rarely does.
//
// When it does not matter: on cards for data centers, whose rates are equal; for BF16, which has no such
// way; for products that wait for memory.
//
// A row times one product of n x n matrices of normal random numbers. The errors of both sides against FP64
// stand beside the times.
//
// Answer: Up to twice as fast on consumer cards, whose rate with FP32 sums was cut; the same on cards for
// data centers. At n = 4096 the sums round to 11 bits thousands of times, so one or two decimal digits may be
// left. The error stands beside the times.

#include "microbench/precision/judged_product.hpp"
#include "microbench/tip.hpp"
#include "microbench/values.hpp"

namespace microbench::precision_fp16_accumulation {

constexpr Axis axes[] = {{.name = "n", .about = "rows and columns of the matrices", .values = {1024, 4096}}};

/// Whether sums of FP16 products are FP16, while this lives.
class Accumulation {
 public:
  explicit Accumulation(bool fp16) { at::globalContext().setAllowFP16AccumulationCuBLAS(fp16); }
  Accumulation(const Accumulation&) = delete;
  Accumulation& operator=(const Accumulation&) = delete;
  ~Accumulation() { at::globalContext().setAllowFP16AccumulationCuBLAS(before_); }

 private:
  bool before_ = at::globalContext().allowFP16AccumulationCuBLAS();
};

Trial prepare(Setup& setup, const Point& point) {
  require_capability(setup.device, 7, "FP16 on tensor cores");
  const auto n = point["n"];
  require_device_memory(static_cast<std::size_t>(n * n) * (3 * sizeof(float) + sizeof(double)));
  const auto product = std::make_shared<JudgedProduct>(setup, n, n, at::kHalf);

  const auto run_with = [product](bool fp16) {
    const Accumulation set(fp16);
    product->multiply();
  };
  return product_trial(product, [run_with] { run_with(false); }, [run_with] { run_with(true); });
}

extern constexpr Step step = checked({
    .id = "precision/fp16_accumulation",
    .claim = "On certain devices products of FP16 matrices are faster with FP16 sums.",
    .claim_ids = "prec-fp16-accum",
    .sides = {"FP32 sums", "FP16 sums"},
    .source = cuda_semantics("Full FP16 Accumulation in FP16 GEMMs"),
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
    .tolerance = {.relative = 2e-2,
                  .why = "FP16 sums round to 11 bits at each of 4096 additions, whose errors mostly cancel"},
    .delta = 0.02,
});

}  // namespace microbench::precision_fp16_accumulation
