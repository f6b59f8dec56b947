// Do not compute what nothing reads.
//
// Question: The pooled graph is made in every pass, and nothing reads it. What share of a step is that?
//
// The pooling layer ends with a pooled graph: S' A S normalised, made undirected, written as a list of edges.
// A second layer would work on it; the node classifier has none, and its loss does not depend on it. Python
// and C++ run what is written, so the list is still made in every forward pass. On a device it costs more
// than its kernels: how many entries are not zero is known on the device only, so nonzero() makes the host
// wait for everything queued before, and no CUDA graph can hold it.
//
// When it does not matter: with a layer on top of the pooled graph. A compiler that sees the whole step drops
// unread results itself, if no such question to the device splits the step before.
//
// Promise: the same bits in losses and parameters.

#include "workloads/stgym/measure/trial.hpp"

namespace workloads::stgym_no_unread_graph {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& point) {
  return stgym::rung_trial(setup, point, &stgym::Switches::no_unread_graph);
}

}  // namespace

extern constexpr Step step = checked(stgym::our_step({
    .id = "stgym/no_unread_graph",
    .claim = "Leaving out the pooled graph, which nothing reads, shortens a training step.",
    .source = {.title = "STGym",
               .url = "https://github.com/xiaohan2012/stgym",
               .where = "the pooling layer's last lines; the change is ours"},
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .on_cpu = Outcome::helps},
}));

}  // namespace workloads::stgym_no_unread_graph
