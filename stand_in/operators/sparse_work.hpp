// What products and sorts of sparse tensors do: their sizes alone do not say.
#pragma once

#include "stand_in/operators/call.hpp"

namespace stand_in::operators {

/// True of the product of two sparse matrices.
bool is_sparse_product(const Call& call);

/// Pairs of entries that the product of two sparse matrices of the host multiplies: those in each column of
/// the first one times those in the same row of the second one.
double pairs(const Tensor& left, const Tensor& right);

/// What the product of a sparse matrix and a dense one does: an entry meets each column of the dense one,
/// whose row it reads. Nothing of any other call.
struct SparseAndDense {
  double flop = 0, gathered = 0;
};
SparseAndDense sparse_and_dense(const Call& call);

/// Bytes that sorts inside of the operator read and write beside its tensors, of dense tensors and of a
/// sparse matrix's entries: LibTorch sorts one that is not in order (`coalesce`) before it multiplies it. A
/// sort goes through keys and values 8 bits at a time (arXiv 2206.01784), once in and once out, and first
/// through the keys to count.
struct Sorts {
  double dense = 0, entries = 0;
};
Sorts sorts(const Call& call);

}  // namespace stand_in::operators
