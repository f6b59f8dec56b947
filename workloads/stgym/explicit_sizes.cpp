// Tell operators the sizes that the host knows anyway.
//
// Question: The host knows the sizes that operators look for. What is saved on a CPU, which waits for no
// device?
//
// A sparse constructor without a size looks for the largest index, coalesce() sorts the entries and counts
// them, repeat_interleave adds up its repeats, bincount looks for the largest number: on a GPU each of them
// copies a number to the host, which waits until the device has got there. The number of nodes of each graph
// is known where a batch is put together. With it come the shape of the sparse matrix, the length of the
// repeats and, since entries are written row by row, their order: the operators ask nothing and sort nothing.
//
// What still asks the device: products of two sparse matrices, which must find out how many entries they
// have, the coalescing of C', and nonzero() for the pooled graph's edges. So the synchronizations get fewer,
// not none.
//
// When it does not matter: on a CPU there is no device to wait for; there the sorting is what is saved.
//
// Promise: the same bits.

#include "workloads/stgym/measure/trial.hpp"

namespace workloads::stgym_explicit_sizes {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& point) {
  return stgym::rung_trial(setup, point, &stgym::Switches::explicit_sizes);
}

}  // namespace

extern constexpr Step step = checked(stgym::our_step({
    .id = "stgym/explicit_sizes",
    .claim =
        "Telling sparse constructors, repeat_interleave and coalesce what the host knows shortens a training "
        "step.",
    .claim_ids = "sync-pool-size-arg sync-sparse-hidden",
    .source = {.title = "PyTorch Geometric, compiled graph neural networks",
               .url = "https://pytorch-geometric.readthedocs.io/en/latest/advanced/compile.html",
               .where = "Advanced Usage: pooling synchronizes where the batch size is not passed"},
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure"},
}));

}  // namespace workloads::stgym_explicit_sizes
