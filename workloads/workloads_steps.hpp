// The rungs, as steps.txt lists them: in the order of publication, then ours.
#pragma once

#include "harness/catalogue/catalogue.hpp"
#include "harness/core/step.hpp"
#include "harness/support/channel.hpp"
#include "harness/worker/worker_modes.hpp"

namespace workloads {

/// All steps of this folder, in the order of steps.txt.
harness::Steps steps();

/// What processes of their own may be asked to do for a step.
std::vector<harness::BatchSource> loader_sources();

/// What a worker may be asked to train for `tune`.
std::span<const harness::worker::Trainable> trainables();

/// The options that its workloads read.
std::vector<harness::catalogue::Option> options();

}  // namespace workloads
