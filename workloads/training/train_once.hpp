// One trial of a search: a training of a given amount, timed in parts.
#pragma once

#include "harness/worker/train.hpp"

#include <cstdint>
#include <functional>

namespace workloads::training {

/// What is trained in a trial, whatever the workload.
struct TrialWork {
  std::int64_t samples_of_part = 0;
  std::function<void()>
      train_part;  // comes back when the device has finished; throws at a loss that is not finite
  std::function<double()> loss;  // on validation samples
};

/// Makes the work and does all of its parts; `make` counts for the memory, not for the time.
harness::run::Trained train_once(const harness::Device& device, const std::function<TrialWork()>& make,
                                 const harness::worker::TellPart& tell);

}  // namespace workloads::training
