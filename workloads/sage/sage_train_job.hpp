// GraphSAGE as a plain training with settings: `tuneproof train sage`.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/worker/train.hpp"

namespace workloads::sage {

/// Throws BadInput where a setting is wrong.
harness::worker::Trained train_job(harness::Setup& setup, const harness::run::TrainingOrder& order,
                                   const harness::worker::TellPart& tell);

}  // namespace workloads::sage
