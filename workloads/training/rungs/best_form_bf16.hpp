// BF16 makes the products themselves shorter, and torch's compiler joins what lies between them. Together
// with the kept rungs they are the fastest form here. They change the arithmetic, so whether the model learns
// the same is a row of its own: `accuracy`, with `form:bf16` and `form:bf16_compiled`.
//
// When it does not matter: on processors that have no instructions for BF16. What it costs: the compiler
// needs Python with torch and a C++ compiler, and a minute or two, once for each machine and each shape. On
// the CPU an epoch is timed on a quarter of the samples.
#pragma once

#include "workloads/training/rung_step.hpp"

#include <cstdint>

namespace workloads::training {

/// Who runs the step: LibTorch's operators one by one, or the function that torch's compiler has written.
enum class RunBy : std::int64_t { operators, compiler };

constexpr std::string_view run_by_labels[] = {"operators", "compiler"};
constexpr harness::Axis best_form_bf16_axes[] = {
    {.name = "by",
     .about = "who runs the fast form's step: LibTorch's operators one by one, or the function that torch's "
              "compiler has written for it",
     .labels = run_by_labels},
    step_or_epoch};

/// Every kept rung, BF16, and what the point says. The other form is the naive one.
inline Forms best_form_bf16(const harness::Point& point) {
  auto optimized = best({&Switches::bf16});
  optimized.compiled = RunBy{point["by"]} == RunBy::compiler;
  return {.naive = {}, .optimized = optimized, .unit = TimedUnit{point["unit"]}};
}

constexpr harness::Step best_form_bf16_step(const OwnRecord& own) {
  auto step = rung_step(own, {.title = "PyTorch, Automatic Mixed Precision",
                              .url = "https://docs.pytorch.org/docs/stable/amp.html",
                              .where = "torch.autocast"});
  step.axes = best_form_bf16_axes;
  step.other_costs = epoch_costs;
  step.tolerance = own.tolerance;
  step.package_seconds = 100;
  step.packages_at = "by:compiler";
  return step;
}

}  // namespace workloads::training
