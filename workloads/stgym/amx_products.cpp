// Keep the features in BF16, and leave the two products with them to the processor's matrix unit.
//
// Question: Half the bytes, and a unit that multiplies 16 times as many BF16 numbers at once as FP32 ones.
// How much of a step's two products does that leave, and what does it cost in digits?
//
// Lesson: workloads/stgym/measure/graph_trial.hpp
//
// AMX multiplies tiles of 16 rows by 32 BF16 numbers and adds up in FP32; AVX-512's BF16 instructions do so a
// row at a time. The features are rounded to BF16 once, before training, not in each step: the
// products then read 2 bytes a number. The weight and, in the backward pass, the gradient by the product are
// rounded in each step; all other layers, the losses and Adam stay in FP32.
//
// What it costs: digits. Each factor is rounded to 8 bits, and so is the product, by up to 1/512 of itself.
// The figure beside the row is the error of the product against FP64, for FP32 and for BF16. The rounded
// features take half as much memory as the others beside them.
//
// When it does not matter: without such a unit LibTorch multiplies BF16 more slowly than FP32, and the row is
// skipped. It is a branch, since it changes the arithmetic.
//
// Promise: a loss curve within 2 % of FP32's at every step of an epoch; not the same numbers.
//
// Answer: `lscpu` lists amx_bf16 or avx512_bf16. With one, what the products take beyond reading 2 bytes a
// number goes, and the rest of the step is left. workloads/stgym/README.md has this row on an AMD EPYC.

#include "harness/core/setup.hpp"

#include "workloads/stgym/data/graph_dataset.hpp"
#include "workloads/stgym/measure/graph_trial.hpp"
#include "workloads/training/host_products.hpp"

#include <ATen/ATen.h>
#include <ATen/cpu/Utils.h>

namespace workloads::stgym_amx_products {

using namespace harness;

constexpr Tolerance half_precision{
    .relative = 2e-2, .why = "BF16 keeps 8 bits of each factor; the losses of an epoch are compared"};

bool multiplies_bf16() {
  const auto capabilities = at::cpu::get_cpu_capabilities();
  return std::ranges::any_of(std::array{"amx_bf16", "avx512_bf16"}, [&](const char* unit) {
    const auto found = capabilities.find(unit);
    return found != capabilities.end() && found->second.toBool();
  });
}

/// Of x W', x the first rows of the data set.
Figure error_figure(const stgym::Dataset& data) {
  constexpr std::int64_t most_rows = 1024, outputs = 128;
  const auto rows = std::min(most_rows, data.nodes());
  const auto x = data.x.narrow(0, 0, rows);
  const auto weight = at::linspace(-1, 1, outputs * data.features()).view({outputs, -1}).sin();
  return {"error of x W' against FP64", "share", training::product_error(x, weight),
          training::product_error(x.to(at::kBFloat16), weight)};
}

Trial prepare(Setup& setup, const Point& point) {
  stgym::require_change(setup, &stgym::Switches::amx_products);
  if (!multiplies_bf16())
    throw Skip(
        "this processor has no unit for products in BF16 (lscpu lists no amx_bf16 and no avx512_bf16)");
  auto trial = stgym::rung_trial(setup, point, &stgym::Switches::amx_products);
  trial.figures = [all_others = trial.figures, data = stgym::shared_dataset(setup, stgym::Data::device, {})] {
    auto all = all_others();
    all.push_back(error_figure(*data));
    return all;
  };
  return trial;
}

extern constexpr Step step = checked(stgym::our_step({
    .id = "stgym/amx_products",
    .claim = "Features in BF16 and products on a matrix unit shorten a training step on the host.",
    .source = {.title = "PyTorch, Leverage Intel Advanced Matrix Extensions",
               .url = "https://docs.pytorch.org/tutorials/recipes/amx.html",
               .where = "BF16 on AMX; data kept in BF16 are ours"},
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .on_cpu = Outcome::helps},
    .tolerance = half_precision,
}));

}  // namespace workloads::stgym_amx_products
