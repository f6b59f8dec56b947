// Whether a form still learns the same: whole trainings with many seeds, and the loss at their end.
#pragma once

#include "harness/core/checked.hpp"
#include "harness/core/step.hpp"

#include "workloads/training/switches.hpp"
#include "workloads/training/trainer.hpp"

#include <cstdint>
#include <string_view>

namespace workloads::training {

/// Which form is trained beside the naive one.
enum class Learned : std::int64_t { best, bf16, bf16_rate_x10, bf16_compiled };

constexpr std::string_view learned_labels[] = {"best", "bf16", "bf16_rate_x10", "bf16_compiled"};
constexpr harness::Axis accuracy_axes[] = {
    {.name = "form",
     .about = "what is trained beside the naive form: best has every kept rung, bf16 autocast as well, "
              "bf16_compiled is the same step from torch's compiler, and bf16_rate_x10 has a learning rate "
              "ten times as high too, a mistake that the row must find",
     .labels = learned_labels}};

/// Forms that end within this share of each other's loss are equal: `Step::delta` of an accuracy row.
constexpr double loss_margin = 0.05;

/// The forms begin with equal parameters, but each rate is its own: the first loss is compared.
constexpr harness::Tolerance same_begin{
    .relative = 5e-2, .why = "BF16 keeps 8 bits of each factor; what is judged is the end of the training"};

/// The trial whose first figure is the loss on validation samples after `steps` steps, of the naive form and
/// of the point's. Each round trains with a seed of its own, and asks once for both sets.
harness::Trial accuracy_trial(harness::Setup& setup, const harness::Point& point, Job job,
                              std::int64_t steps);

}  // namespace workloads::training
