// ResNet-50, GPT and U-Net trained with settings of their knobs: a trial of a search, and the row that proves
// it.
#pragma once

#include "harness/core/checked.hpp"
#include "harness/core/step.hpp"
#include "harness/worker/train.hpp"

#include "workloads/training/job.hpp"

#include <cstdint>

namespace workloads::training {

constexpr std::int64_t setting_places[] = {1, 2, 3, 4};
/// Which of the settings that were given, from 1.
constexpr harness::Axis setting_axis[] = {{.name = "setting",
                                           .about = "which of the settings in the file of --config",
                                           .values = setting_places,
                                           .full = {1}}};

/// What a worker trains for `tune`. `amount` is in samples: a multiple of eight times the batch.
harness::run::Trained train_job(Job job, const harness::run::TrainingOrder& order,
                                const harness::worker::TellPart& tell);

/// The standard settings against those that the point chooses, on as many samples as the larger batch has.
/// Beside the times stand the losses after `amount` samples, of two seeds that no search has used.
harness::Trial tuned_trial(harness::Setup& setup, const harness::Point& point, const Job& job,
                           std::int64_t amount);

}  // namespace workloads::training
