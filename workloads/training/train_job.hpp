// A training of a given amount, timed in parts; and ResNet-50, GPT and U-Net as such trainings with
// settings: `tuneproof train`.
#pragma once

#include "harness/worker/worker_modes.hpp"

#include "workloads/training/job.hpp"

namespace workloads::training {

/// What is trained, whatever the workload.
struct TrainingWork {
  std::int64_t samples_of_part = 0;
  std::int64_t batch = 1, epoch = 1;  // their samples
  std::function<void()>
      train_part;  // comes back when the device has finished; throws at a loss that is not finite
  std::function<double()> loss;  // on validation samples
};

/// Makes the work and does all of its parts; `make` counts for the memory, not for the time.
harness::worker::Trained train_once(const harness::Device& device, const std::function<TrainingWork()>& make,
                                    const harness::worker::TellPart& tell);

/// Trains `samples` samples, or as many as the settings say. Throws Skip where no training has its settings
/// together, BadInput where one is wrong.
harness::worker::Trained train_job(Job job, std::int64_t samples, const harness::run::TrainingOrder& order,
                                   const harness::worker::TellPart& tell);

}  // namespace workloads::training
