// Whether a form still learns the same: whole trainings with many seeds, and what they know at their end.
#pragma once

#include "harness/core/step.hpp"

#include "workloads/training/switches.hpp"
#include "workloads/training/trainer.hpp"

namespace workloads::training {

/// Which form is trained beside the naive one.
enum class Learned : std::int64_t { best, bf16, bf16_rate_x10, bf16_compiled };

constexpr std::string_view learned_labels[] = {"best", "bf16", "bf16_rate_x10", "bf16_compiled"};
constexpr harness::Axis form_axis{
    .name = "form",
    .about =
        "what is trained beside the naive form: best has every kept rung, bf16 autocast as well, "
        "bf16_compiled is the same step from torch's compiler, and bf16_rate_x10 has a learning rate "
        "ten times as high too, a mistake that the row must find",
    .labels = learned_labels};

/// What a row judges at the end of a training.
enum class Judged : std::int64_t { loss, labels };

constexpr std::string_view judged_labels[] = {"loss", "labels"};
constexpr std::int64_t only_loss[] = {static_cast<std::int64_t>(Judged::loss)};

constexpr harness::Axis judged_axis(harness::Few<std::int64_t> values) {
  return {.name = "judged",
          .about =
              "what is judged on validation samples: their loss, or the labels that are guessed right, as "
              "the number of guesses that one of them takes",
          .values = values,
          .labels = judged_labels};
}
constexpr harness::Axis loss_and_labels[] = {form_axis, judged_axis({0, 1})};
/// Of models whose targets are no labels.
constexpr harness::Axis loss_alone[] = {form_axis, judged_axis(only_loss)};

/// Forms that end within this share of each other's loss are equal, and so are forms that guess so nearly as
/// many labels right: `Step::delta` of an accuracy row. A form has kept its accuracy if both rows say so.
constexpr double accuracy_margin = 0.05;

/// The forms begin with equal parameters, but each rate is its own: the first loss is compared.
constexpr harness::Tolerance same_begin{
    .relative = 5e-2, .why = "BF16 keeps 8 bits of each factor; what is judged is the end of the training"};

/// The trial whose first figure is what the point judges after `steps` steps of the naive form and of the
/// point's. Each round trains with a seed of its own, and trains each form once: both sets and all rows of a
/// worker share the naive form, and the rows of one form share that.
harness::Trial accuracy_trial(harness::Setup& setup, const harness::Point& point, Job job,
                              std::int64_t steps);

}  // namespace workloads::training
