// Train each batch of graphs on several ranks, a share on each, instead of on one rank alone.
//
// Question: Two ranks share a batch of 16 graphs and exchange 1.1 MiB of gradients. What part of a twofold
// speedup is left of STGym's training step?
//
// Lesson: workloads/stgym/measure/graph_trial.hpp
//
// Graphs differ in size, and shares of equally many graphs hold more or fewer nodes. The loss of the labels
// is a mean over nodes and the pooling's a mean over graphs. A plain mean over the ranks would give nodes
// of small shares more weight than one process does. So each rank scales both parts by its own part of the
// batch's nodes and graphs, and the losses are one process's. A rank with more nodes also keeps the others
// waiting (parallel/balance). One bucket holds all gradients, so that the exchange begins when the backward
// pass is over.
//
// Lesson: workloads/training/ranks_rungs.hpp
//
// STGym's row has the published model, on 16 graphs.

#include "workloads/stgym/graph_ranks_trial.hpp"
#include "workloads/training/ranks_rungs.hpp"

namespace workloads::stgym_ddp {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) { return stgym::ranks_trial(setup, training::ddp); }

extern constexpr Step step = checked(stgym::in_ranks<training::ddp_step>({
    .id = "stgym/ddp",
    .claim = "Ranks that share each batch of graphs take STGym's training step sooner than one rank alone.",
    .prepare = prepare,
    .row_seconds = 20,
}));

}  // namespace workloads::stgym_ddp
