// ResNet-50, GPT and U-Net as plain trainings with settings: `tuneproof train`.
#pragma once

#include "harness/worker/train.hpp"

#include "workloads/training/job.hpp"

#include <cstdint>

namespace workloads::training {

/// Trains `samples` samples, or as many as the settings say. Throws Skip where no training has its settings
/// together, BadInput where one is wrong.
harness::worker::Trained train_job(Job job, std::int64_t samples, const harness::run::TrainingOrder& order,
                                   const harness::worker::TellPart& tell);

}  // namespace workloads::training
