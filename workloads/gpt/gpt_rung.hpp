// What the rungs of this ladder have in common.
#pragma once

#include "workloads/training/trial.hpp"

namespace workloads::gpt {

/// No batch norm enlarges what rounding changes, and first losses are all about ln 256: half of a batch would
/// pass the tolerances of the other models.
constexpr harness::Tolerance other_order{.relative = 5e-4, .why = "the forms add in another order"};
constexpr harness::Tolerance half_precision{.relative = 1e-3, .why = "BF16 keeps 8 bits of each factor"};
/// A weight decay that is left out moves the loss of the third step by more.
constexpr harness::Tolerance fused_update{.relative = 1e-5, .why = "the fused update rounds differently"};

/// The data, the model and how it is trained, on the session's device. Throws BadInput for bad data.
training::Job job(harness::Setup& setup);
/// The same at the size of a CPU on any device: for what is about learning or about memory, not about time.
training::Job small_job(harness::Setup& setup);

}  // namespace workloads::gpt
