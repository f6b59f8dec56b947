// Multiply the rows that lie in place on tensor cores: once in TF32, or three times for FP32's digits.
//
// Question: Tensor cores multiply TF32 numbers about eight times as fast as a data-center GPU's other units
// multiply FP32 ones. What of that is left if a product must keep FP32's digits, and what then is the next
// limit?
//
// Lesson: workloads/stgym/measure/graph_trial.hpp
//
// TF32 has FP32's range and 11 of its 24 significant digits. A tensor core reads factors so and adds up in
// FP32. An FP32 number is the sum of two TF32 numbers, but for its last digits: so three products of the
// parts, large times large, large times small and small times large, give a product with almost FP32's
// accuracy. All products here run in CUTLASS's main loops, which ask for the next parts of the rows while
// they multiply one; the rows are still picked by number, so no row is copied together. The hidden layer and
// the clusters' go the same way, each with bias and ReLU added before the result is stored. "float32 matmul
// precision" chooses: "highest" three products, "high" and "medium" one.
//
// What it costs: the digits of one product, at "medium"; and four launches, since two weights are transposed
// for the gradients by a layer's input, and the parts of two gradients are added up. Three products take
// three times the arithmetic, and registers for the parts. Each row is read as before: 4 bytes a number.
//
// When it does not matter: where the step waits for memory, or for other kernels; on a GPU whose tensor
// cores are not much faster than its FP32 units (an RTX 4090 multiplies 1.6 times as fast in TF32, 53.0 and
// 84.4 TFLOP/s by torch-performance-test-data, so that three products cost more than one). Below compute
// capability 8.0 there is no TF32: the row is skipped. On the host it is, too.
//
// A row times a training step, or an epoch (`unit`), with both products with the features in FP32 arithmetic
// and cuBLAS's others against all of them on tensor cores, at one `precision`, which cuBLAS keeps too. The
// figure beside it is the error of such a product against FP64, for both. It is a branch until a device has
// measured it.
//
// Promise: a loss curve within a tolerance; not the same numbers.
//
// Answer: No device has said yet (`results/`). At eight times the rate three products take three eighths of
// one in FP32 arithmetic. On Hopper only a library's newest tensor instructions have that rate; by the count
// of instructions (docs/kernels.md) the older ones here come to between three eighths and a half. At "medium"
// reading the rows is the next limit.

#include "workloads/stgym/measure/graph_trial.hpp"

namespace workloads::stgym_tensor_core_products {

using namespace harness;
using stgym::Switches;

constexpr Tolerance fewer_digits{
    .relative = 1e-2,
    .why =
        "TF32 keeps 11 significant digits of each factor, and three products of it almost FP32's; the losses "
        "of an epoch are compared"};

enum Precision : std::int64_t { highest, medium };
constexpr Axis axes[] = {
    {.name = "precision",
     .about = "of FP32 products in both forms; highest: the tensor cores multiply three times; "
              "medium: once",
     .quick = {highest},
     .labels = {"highest", "medium"}},
    stgym::unit_axis(stgym::step_and_epoch, stgym::only_step)};

Trial prepare(Setup& setup, const Point& point) {
  stgym::require_change(setup, &Switches::tensor_core_products);
  auto naive = stgym::below(&Switches::tensor_core_products);
  naive.matmul_medium = point["precision"] == medium;
  auto optimized = naive;
  optimized.tensor_core_products = true;
  return stgym::rows_trial(setup,
                           {.naive = naive, .optimized = optimized, .unit = stgym::TimedUnit{point["unit"]}});
}

extern constexpr Step step = checked({
    .id = "stgym/tensor_core_products",
    .claim = "Products on tensor cores that pick their rows shorten a training step.",
    .source = {.title = "CUTLASS, 3xTF32",
               .url = "https://github.com/NVIDIA/cutlass/tree/main/examples",
               .where = "examples 27 and 36; that both picks rows and keeps FP32's digits is ours"},
    .runs = Runs::session,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure"},
    .tolerance = fewer_digits,
    .row_seconds = 11,
    .other_costs = stgym::epoch_costs,
    .suite = Suite::named,
});

}  // namespace workloads::stgym_tensor_core_products
