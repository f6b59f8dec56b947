// STGym as a plain training with settings: `tuneproof train`.
#pragma once

#include "harness/worker/worker_modes.hpp"

namespace workloads::stgym {

/// Throws Skip where no training has its settings together, BadInput where one is wrong.
harness::worker::Trained train_job(harness::Setup& setup, const harness::run::TrainingOrder& order,
                                   const harness::worker::TellPart& tell);

}  // namespace workloads::stgym
