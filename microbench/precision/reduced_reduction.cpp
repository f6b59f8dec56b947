// Let products of FP16 and BF16 matrices add up their parts in the short type.
//
// Question: With an inner dimension of 4144 the source reports 1.4 times the speed on a V100. What do you
// expect of your device, and does the error grow?
//
// A product with a long inner dimension and few results has too little work for all multiprocessors. The
// library then splits the inner dimension: several blocks each compute a part of the same result, and a last
// step adds the parts up. The parts can be kept in FP32, or in the type of the matrices, which halves the
// bytes that the last step writes and reads. Inside a block sums are FP32 either way.
//
// What it costs is accuracy: parts are rounded to 11 bits (FP16) or 8 bits (BF16) before they are added, and
// in FP16 a part above 65504 becomes infinite. LibTorch allows it by default, so somebody who has the slow
// side has chosen it for its accuracy.
//
// When it does not matter: where the library does not split (short inner dimensions, many results), which its
// heuristics decide anew in each version; then both sides are the same kernel.
//
// A row times one product, rows x inner times inner x rows. The errors of both sides against FP64 stand
// beside the times.
//
// Answer: A gain only where the library splits the inner dimension; elsewhere both sides are the same kernel.
// The source's V100 reached 1.4 times the speed at 4,144 (2520 -> 1797 us). The error grows, since parts are
// rounded to 11 or 8 bits.

#include "microbench/precision/judged_product.hpp"
#include "microbench/tip.hpp"
#include "microbench/values.hpp"

namespace microbench::precision_reduced_reduction {

enum Type : std::int64_t { fp16, bf16 };
constexpr Axis axes[] = {
    {.name = "type", .about = "of the matrices", .labels = {"fp16", "bf16"}},
    {.name = "rows", .about = "and columns of the result", .values = {512, 4096}},
    {.name = "inner", .about = "dimension, over which products are added up", .values = {4144, 16384}}};

/// Whether parts of a product may be added up in the short type, while this lives.
class ReducedReduction {
 public:
  ReducedReduction(Type type, bool allowed) : type_(type) {
    before_ = type == fp16 ? context().allowFP16ReductionCuBLAS() : context().allowBF16ReductionCuBLAS();
    set(allowed ? at::CuBLASReductionOption::AllowReducedPrecisionWithSplitK
                : at::CuBLASReductionOption::DisallowReducedPrecisionAllowSplitK);
  }
  ReducedReduction(const ReducedReduction&) = delete;
  ReducedReduction& operator=(const ReducedReduction&) = delete;
  ~ReducedReduction() { set(before_); }

 private:
  static at::Context& context() { return at::globalContext(); }
  void set(at::CuBLASReductionOption option) const {
    const bool reduced = option == at::CuBLASReductionOption::AllowReducedPrecisionWithSplitK;
    const bool split = option != at::CuBLASReductionOption::DisallowReducedPrecisionDisallowSplitK;
    if (type_ == fp16)
      context().setAllowFP16ReductionCuBLAS(reduced, split);
    else
      context().setAllowBF16ReductionCuBLAS(reduced, split);
  }
  Type type_;
  at::CuBLASReductionOption before_;
};

Trial prepare(Setup& setup, const Point& point) {
  const auto type = static_cast<Type>(point["type"]);
  const auto rows = point["rows"];
  const auto inner = point["inner"];
  require_capability(setup.device, type == fp16 ? 7 : 8, "products of short types on tensor cores");
  require_device_memory(static_cast<std::size_t>(2 * rows * inner) * (sizeof(float) + sizeof(double)));
  const auto scalar = type == fp16 ? at::kHalf : at::kBFloat16;
  const auto product = std::make_shared<JudgedProduct>(setup, rows, inner, scalar);

  const auto run_with = [product, type](bool reduced) {
    const ReducedReduction set(type, reduced);
    product->multiply();
  };
  return product_trial(product, [run_with] { run_with(false); }, [run_with] { run_with(true); });
}

extern constexpr Step step = checked({
    .id = "precision/reduced_reduction",
    .claim = "Products with a long inner dimension are faster if their parts are added up in the short type.",
    .claim_ids = "prec-fp16-reduced-reduction prec-bf16-reduced-reduction",
    .sides = {"FP32 parts", "short parts"},
    .source = cuda_semantics("Reduced Precision Reduction in FP16 GEMMs; in BF16 GEMMs"),
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published =
                        "2520 -> 1797 us (V100, m = n = 4096, k = 4144), 9657 -> 6183 us (k = 16384)",
                    .about = "type:fp16/rows:4096"},
    .tolerance = {.relative = 1e-2,
                  .why = "BF16 rounds each part to 8 bits: up to 2^-8 of a part, which may exceed the sum"},
    .delta = 0.02,
});

}  // namespace microbench::precision_reduced_reduction
