// Do not join a batch: list its rows, and let every kernel read the data set where it lies.
//
// Question: Joining 16 graphs copies 575 MB, so that two products can read it. Is a product of our own that
// picks its rows faster than the library's and the copy?
//
// A batch is made of graphs that lie somewhere in the data set. Joined, their features are copied together
// (read and written: as many bytes again as both products read), and their edges are shifted, graph by graph:
// 54 launches before the step begins. Nothing of it is new. A node's row number says where its features,
// label and neighbours lie; a neighbour is as far away in the batch as in the data set. One launch writes
// these numbers, and the graphs come as its argument, so nothing is copied from the host. The first product
// picks its rows by number. The weight's gradient, a result of 16 tiles which leaves most of a large device
// idle, is made in as many parts of the rows as keep it busy. Sums over neighbours are read, not scattered:
// no atomics, and a captured step needs neither room nor padding for edges.
//
// What it costs: the products are ours, in FP32 only; a library's are tuned for each device. The row says
// which is faster. S'h, which no classifier of nodes reads, is left out.
//
// When it does not matter: few features. Data that do not lie on the device, other models than the published
// one, and the host go the way of the rung below.
//
// Promise: the same numbers to a tolerance; FP32 throughout, added up in another order.

#include "workloads/stgym/measure/trial.hpp"

namespace workloads::stgym_rows_in_place {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& point) {
  if (!setup.device.is_cuda()) throw Skip("features and edges are read in place where they lie on a device");
  return stgym::rung_trial(setup, point, &stgym::Switches::rows_in_place);
}

}  // namespace

extern constexpr Step step = checked(stgym::our_step({
    .id = "stgym/rows_in_place",
    .claim = "Reading rows in place instead of joining graphs shortens a training step.",
    .source = {.title = "CUTLASS, example 52: Hopper gather, scatter, fusion",
               .url = "https://github.com/NVIDIA/cutlass/tree/main/examples/52_hopper_gather_scatter_fusion",
               .where = "products that pick their rows; the kernels are ours"},
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure"},
}));

}  // namespace workloads::stgym_rows_in_place
