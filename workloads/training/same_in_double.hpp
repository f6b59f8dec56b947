// The same answer once more, in FP64, where rounding hides nothing: what BF16 and a batch norm over few
// values may differ by would hide a forgotten weight decay, another beta or a layer that does not learn.
#pragma once

#include "harness/core/setup.hpp"

#include "workloads/training/trainer.hpp"

namespace workloads::training {

/// Trains a few samples in FP64 with both forms, as they are but without autocast and the compiler (whose
/// function is made for FP32), and compares losses, buffers, gradients and the parameters' way. Throws
/// harness::Disagreement where they differ by more than 2e-7.
void check_same_in_double(const Training& naive, const Training& optimized);

/// The same of two forms of the session's job. The answer of a form is kept: the form below a rung is the
/// rung below it, and a row's second set has the same forms.
void check_same_in_double(harness::Setup& setup, const Job& job, const Switches& naive,
                          const Switches& optimized);

}  // namespace workloads::training
