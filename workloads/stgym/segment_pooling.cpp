// Use that the assignment is block-diagonal instead of writing it down as a sparse matrix.
//
// Question: Sixteen small dense products instead of block-diagonal sparse ones: by what factor does the whole
// step get shorter?
//
// C holds the assignment S of each graph in separate columns, so C' A C, C' C and C' h have nothing outside
// of B small blocks: S_b' (A S)_b, S_b' S_b and S_b' h_b. Multiplying sparse matrices finds that out entry by
// entry, with an index of 16 bytes beside each value of 4. Here A S is a sum over the edges, each block is a
// dense product of the graph's rows, and the two traces need no product at all: trace(S' A S) is the sum of S
// * A S, trace(S' D S) that of the degrees times S * S.
//
// When it does not matter: where the products with x take nearly all of a step. When it hurts: with very many
// tiny graphs, where one product for each of them is mostly overhead.
//
// Promise: the same numbers to a tolerance, since sums are added up in another order; every output of the
// layer, the pooled graph's edges and weights among them.

#include "workloads/stgym/measure/trial.hpp"

namespace workloads::stgym_segment_pooling {
namespace {

using namespace harness;

constexpr Tolerance other_order{
    .relative = 1e-4,
    .why = "sums over nodes and edges are added up in another order, and training carries the difference on"};

Trial prepare(Setup& setup, const Point& point) {
  return stgym::rung_trial(setup, point, &stgym::Switches::segment_pooling);
}

}  // namespace

extern constexpr Step step = checked(stgym::our_step({
    .id = "stgym/segment_pooling",
    .claim =
        "Small dense products, graph by graph, instead of products of block-diagonal sparse matrices shorten "
        "a training step.",
    .source = {.title = "STGym",
               .url = "https://github.com/xiaohan2012/stgym",
               .where = "the pooling layer's sparse products; the change is ours"},
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .on_cpu = Outcome::helps},
    .tolerance = other_order,
}));

}  // namespace workloads::stgym_segment_pooling
