// How ResNet-50, the GPT and the U-Net train in several processes.
#pragma once

#include "workloads/training/job.hpp"
#include "workloads/training/ranks_forms.hpp"
#include "workloads/training/trial.hpp"

namespace workloads::training {

/// The trial of a rung. Where batch norms take each rank's samples by themselves, the one process that it is
/// held against trains a batch in as many parts. Throws Skip where a batch does not divide evenly.
harness::Trial ranks_trial(harness::Setup& setup, MakeJob make, const RanksPlan& plan,
                           const harness::Tolerance& tolerance);

/// Prepares a rung of a workload's table.
template <MakeJob make, RanksPlan plan, const harness::Tolerance& tolerance = other_order>
harness::Trial in_ranks(harness::Setup& setup, const harness::Point& /*point*/) {
  return ranks_trial(setup, make, plan, tolerance);
}

}  // namespace workloads::training
