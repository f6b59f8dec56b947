// A training of a given amount, timed in parts.
#pragma once

#include "harness/worker/train.hpp"

#include <cstdint>
#include <functional>

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

}  // namespace workloads::training
