// The work of an operator in numbers, for the record and the simulator: products and sorts of sparse
// tensors too, of which sizes alone do not tell.
#pragma once

#include "stand_in/operators/operator_call.hpp"
#include "stand_in/runtime.hpp"

namespace stand_in::operators {

/// True of the product of two sparse matrices.
bool is_sparse_product(const Call& call);

/// Pairs of entries that the product of two sparse matrices of the host multiplies: those in each column of
/// the first one times those in the same row of the second one.
double pairs(const Tensor& left, const Tensor& right);

/// Bytes that sorts inside of the operator read and write beside its tensors, of dense tensors and of a
/// sparse matrix's entries: LibTorch sorts one that is not in order (`coalesce`) before it multiplies it. A
/// sort goes through keys and values 8 bits at a time (arXiv 2206.01784), once in and once out, and first
/// through the keys to count.
struct Sorts {
  double dense = 0, entries = 0;
};
Sorts sorts(const Call& call);

/// The command with its bytes, those of arguments and new results together, once more those that are changed
/// in place or read twice, and with the FLOP of products and convolutions. Of a sparse tensor its indices and
/// values count, and what is sorted; of a product of two sparse matrices the `pairs` that it multiplies, two
/// FLOP each.
Command counted(const Call& call, const std::vector<Tensor>& results, double pairs = 0);

}  // namespace stand_in::operators
