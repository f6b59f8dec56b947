// The pooling layer of a batch of row numbers, as far as a classifier of nodes reads it: what
// stgym/rows_in_place pools with.
#pragma once

#include "workloads/stgym/data/batch.hpp"
#include "workloads/stgym/model/pooling.hpp"

namespace workloads::stgym {

/// `Pooled::soft` and both losses, from the logits of the assignment [N, K], float32 on a device, K <= 32.
/// The rest stays undefined: nobody reads it.
Pooled pool_in_place(const at::Tensor& logits, const Batch& batch);

}  // namespace workloads::stgym
