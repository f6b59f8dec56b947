// How ResNet-50, the GPT and the U-Net train in several processes.
#pragma once

#include "workloads/training/job.hpp"
#include "workloads/training/ranks_forms.hpp"
#include "workloads/training/trial.hpp"

namespace workloads::training {

/// A workload's job on the session's device.
using MakeJob = Job (*)(harness::Setup&);

/// The trial of a rung. Where batch norms take each rank's samples by themselves, the one process that it is
/// held against trains a batch in as many parts. Throws Skip where a batch does not divide evenly.
harness::Trial ranks_trial(harness::Setup& setup, MakeJob make, const RanksPlan& plan,
                           const harness::Tolerance& tolerance = other_order);

}  // namespace workloads::training
