// The products that a network's forward pass is made of, counted while it runs.
#pragma once

#include "workloads/training/dataset.hpp"
#include "workloads/training/floor.hpp"
#include "workloads/training/network.hpp"

namespace workloads::training {

/// What a training step on `batch` needs in FP32 in any form. Three products for each matrix of weights and
/// each kernel; two where the batch itself is multiplied, which needs no gradient. A kernel's elements beyond
/// the image's border multiply nothing. Products of activations with each other, as in attention, are left
/// out: a fused form skips some. What a product gives is written once and read once, the batch is read twice,
/// and AdamW reads value, gradient and moments, and writes all but the gradient, which is written before.
/// `from_host`: the batch comes over the link.
Work step_work(const Network& network, const Sample& batch, bool from_host);

}  // namespace workloads::training
