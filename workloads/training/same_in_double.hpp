// The same answer once more, in FP64, where rounding hides nothing: what BF16 and a batch norm over few
// values may differ by would hide a forgotten weight decay, another beta or a layer that does not learn.
#pragma once

#include "workloads/training/trainer.hpp"

namespace workloads::training {

/// Trains a few samples in FP64 with both forms, as they are but without autocast and the compiler (whose
/// function is made for FP32), and compares losses, buffers, gradients and the parameters' way. Throws
/// harness::Disagreement where they differ by more than a millionth.
void check_same_in_double(const Training& naive, const Training& optimized);

}  // namespace workloads::training
