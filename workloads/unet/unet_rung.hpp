// What the rungs of this ladder have in common.
#pragma once

#include "workloads/training/trial.hpp"

namespace workloads::unet {

/// At the bottom its batch norms see 16 values: rounding moves the third loss by up to 3.4e-3 of the largest,
/// over 36 seeds.
constexpr harness::Tolerance other_order{
    .relative = 1e-2,
    .why = "the forms add in another order, and a batch norm over few values enlarges that"};

/// The data, the model and how it is trained, on the session's device. Throws BadInput for bad data.
training::Job job(harness::Setup& setup);
/// At the size of a CPU, with as many samples, drawn or read of `--images`.
training::Job job(harness::Setup& setup, training::Split split);

}  // namespace workloads::unet
