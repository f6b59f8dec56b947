// The rungs, as steps.txt lists them: in the order of publication, then ours.
#pragma once

#include "harness/catalogue/catalogue.hpp"
#include "harness/core/step.hpp"
#include "harness/loader/batch_source.hpp"
#include "harness/worker/train.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace workloads {

/// All steps of this folder, in the order of steps.txt.
harness::Steps steps();

/// What processes of their own may be asked to do for a step.
std::vector<harness::loader::BatchSource> loader_sources();

/// What a worker may be asked to train for `tune`.
std::span<const harness::worker::Trainable> trainables();

/// Parts of the names of rows that belong to no suite: each rung is measured against the one below, and
/// stgym/end_to_end has the sum. Against naive, one by one, takes as long again (on a GPU, hours). The rungs
/// of ours run when they are named: the suites keep to the published ladder.
std::span<const std::string_view> not_in_suites();

/// The options that its workloads read.
std::vector<harness::catalogue::Option> options();

}  // namespace workloads
