// STGym trained with settings of its knobs: a trial of a search, and the row that proves it.
#pragma once

#include "harness/core/step.hpp"
#include "harness/worker/train.hpp"

namespace workloads::stgym {

/// What a worker trains for `tune`; the amount is in epochs.
harness::run::Trained train_tuned(harness::Setup& setup, const harness::run::TrainingOrder& order,
                                  const harness::worker::TellPart& tell);

/// An epoch, validation included, with the standard settings against one with those that the point chooses.
harness::Trial tuned_trial(harness::Setup& setup, const harness::Point& point);

}  // namespace workloads::stgym
