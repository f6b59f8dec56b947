// Record the whole training step as a CUDA graph, one for each size of batch.
//
// Question: One launch instead of some hundred operators, for up to 4,095 padded nodes. From which speed of
// the device on does the padding cost more than the host saves?
//
// Lesson: workloads/stgym/measure/graph_trial.hpp
//
// A step queues some hundred operators, and the host needs microseconds for each of them. Once a step asks
// the device nothing (the rungs below), all of it can be recorded and replayed by a single launch: forward,
// backward and optimizer. A graph repeats addresses and shapes, and batches differ in size: so a batch is
// copied into fixed tensors with room to spare, nodes in steps of 4,096 and edges in powers of two. What is
// left is padding that belongs to no graph, has no label and no edge to a real node: neither loss nor
// gradient changes (tested on the host, where the order of sums is fixed).
//
// The loss is the padding: 2,048 rows of 71,900 on average, 2.9 % more work for the device, against launches
// that a host far enough ahead hides anyway. The cure is a graph that needs no padding: a grid for the
// largest batch, whose kernels read the number of nodes on the device and stop there. It needs hand-written
// kernels throughout, and is not built here.
//
// What it costs: padded rows are multiplied too, up to 4,095; memory for each bucket; a capture for each,
// which is not timed here, since a training run of many epochs repeats them.
//
// When it does not matter: where the device is the slower of the two, as at full size on a fast host. On the
// host there is nothing to launch: the row is skipped.
//
// Promise: the same numbers to a tolerance; padding changes how sums are cut into parts. It is a branch until
// a device has shown that it pays.
//
// Answer: From the speed at which the device takes longer for a step than the host takes to queue it: then
// the padding, 2.9 % more rows, is pure loss. The H200 here (commit 8d18999) is there: 3.01 and 3.04 ms,
// same.

#include "workloads/stgym/measure/graph_trial.hpp"

namespace workloads::stgym_cuda_graph {

using namespace harness;

extern constexpr Step step = checked(stgym::our_step({
    .id = "stgym/cuda_graph",
    .claim = "Replaying the whole training step as a CUDA graph of padded shapes shortens it.",
    .claim_ids = "graph-train-step",
    .source = {.title = "PyTorch, CUDA semantics",
               .url = "https://docs.pytorch.org/docs/stable/notes/cuda.html",
               .where = "CUDA Graphs, Whole-network capture"},
    .prepare = stgym::rung<&stgym::Switches::cuda_graph>,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
}));

}  // namespace workloads::stgym_cuda_graph
