// Keep the features in BF16 on the device, so that products on tensor cores read half the bytes.
//
// Question: A product with the features in TF32 takes about as long as its rows take to be read. Features in
// BF16 have half the bytes, and a tensor core multiplies BF16 numbers twice as fast as TF32 ones. How much
// shorter is a step, and how many digits does the product lose?
//
// Lesson: workloads/stgym/measure/graph_trial.hpp
//
// BF16 has FP32's range in half the bytes, with 8 significant digits instead of 24; TF32 keeps 11, but of
// numbers that are read with 4 bytes each. The features are rounded once, before the training. In each step
// the first weight is rounded for the product x W', and the gradient by the hidden layer for the weight's
// gradient g' x. Sums are FP32 in the tensor cores; the weight, its gradient and Adam's moments stay FP32, so
// that small updates are not lost. Autocast (stgym/bf16) rounds x in every step instead: a pass that reads 4
// bytes a number and writes 2, before products that read 2.
//
// What it costs: digits of x, of the weight and of the gradient; and a pass over the gradient, which has 128
// numbers a node where x has 2,000. Whether the rounding changes how good the model is, the scores beside
// `unit:epoch` show.
//
// When it does not matter: where other kernels, or the host, take most of the step; where features need more
// than 8 digits, such as large counts. Features that are whole numbers up to 256 lose nothing. Below compute
// capability 8.0 tensor cores take no BF16: the row is skipped. On the host stgym/amx_products does this.
//
// A row times a training step, or an epoch (`unit`), of stgym/tensor_core_products at "medium" against the
// same with the features in BF16. The figure beside it is the error of x W' against FP64, for both. It is a
// branch, since it changes the arithmetic.
//
// Promise: a loss curve within 2 % at every step of an epoch; not the same numbers.
//
// Answer: No device has said yet (`results/`). The two largest reads of a step have half the bytes, and the
// other kernels take as long as before. Three digits fewer make the error of a factor eight times as large.

#include "workloads/stgym/measure/graph_trial.hpp"

namespace workloads::stgym_bf16_rows {

using namespace harness;
using stgym::Switches;

constexpr Tolerance half_precision{
    .relative = 2e-2, .why = "BF16 keeps 8 bits of each factor; the losses of an epoch are compared"};

Trial prepare(Setup& setup, const Point& point) {
  stgym::require_change(setup, &Switches::bf16_rows);
  auto naive = stgym::below(&Switches::bf16_rows);
  naive.matmul_medium = true;
  naive.tensor_core_products = true;
  auto optimized = naive;
  optimized.bf16_rows = true;
  return stgym::rows_trial(setup,
                           {.naive = naive, .optimized = optimized, .unit = stgym::TimedUnit{point["unit"]}});
}

extern constexpr Step step = checked({
    .id = "stgym/bf16_rows",
    .claim = "Features in BF16 on the device shorten a training step whose products run on tensor cores.",
    .source = {.title = "NVIDIA, Train With Mixed Precision",
               .url = "https://docs.nvidia.com/deeplearning/performance/mixed-precision-training/",
               .where = "an FP32 master copy of the weights; features kept in BF16 are ours"},
    .runs = Runs::session,
    .axes = stgym::our_axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure"},
    .tolerance = half_precision,
    .row_seconds = 11,
    .other_costs = stgym::epoch_costs,
    .suite = Suite::named,
});

}  // namespace workloads::stgym_bf16_rows
