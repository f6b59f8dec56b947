// Run a rank on each socket of a CPU machine, instead of one process with threads on all of them.
//
// Question: One process divides each operator among all its processors; two ranks divide the batch. Which
// one uses your processors better?
//
// An operator that is divided among threads ends when its last thread ends, and the next one begins then:
// with hundreds of operators to a step the threads wait for each other hundreds of times, and small operators
// are not divided at all. Across sockets a thread also reads weights and activations from the memory of the
// other. Ranks wait for each other once a step, when they exchange gradients; each keeps its weights in the
// memory of its own socket. So the guides advise a rank for each socket, tied to its processors, with as many
// threads as these.
//
// When it does not matter: if operators are so large that threads hardly wait, on one socket. When it hurts:
// if the exchange takes longer than what the threads would have waited, as with large models and small
// batches: every rank sends all gradients.
//
// What it costs: each rank holds the whole model and its own optimizer state.
//
// A row is a forward and a backward pass over `rows` rows through 8 layers of 256 by 256. On the first side
// rank 0 does all of it, with a thread on each CPU that the ranks have together; on the second side each
// rank does its share on its own CPUs, one thread each, with one all-reduce. With `--ranks` as many as there
// are CPUs both have the same threads. Figures say how many memory nodes the CPUs belong to: with one, the
// row shows the waiting alone.
//
// Answer: Two ranks, where operators are many and waits at their ends take longer than one exchange of all
// gradients. One process, where the model is large for its batch: on the two cores of an EPYC, with an
// exchange over the loopback, ranks took 2.9 times as long with 64 rows and 24 % longer with 1,024 (commit
// 03cee4c).

#include "harness/libtorch/place.hpp"
#include "harness/machine/numa.hpp"

#include "microbench/parallel/parallel_training.hpp"

namespace microbench::parallel_rank_per_socket {

using namespace harness;
using namespace parallel;

constexpr Axis axes[] = {
    {.name = "rows", .about = "of the batch, all ranks together", .values = {64, 1024}, .quick = {64}}};

/// Rank 0 with all processors, or as it is otherwise.
void divide_threads(const Rank& rank, Form form) {
  if (rank.number() != 0) return;
  const bool all = form == Form::naive;
  at::set_num_threads(all ? rank.size() : 1);
  move_to(all ? rank.cpus() : share_of(rank.cpus(), 0, rank.size()));
}

Trial prepare(Setup& setup, const Point& point) {
  if (setup.device.is_cuda()) throw Skip("is about processors");
  const auto s = std::make_shared<const Training>(setup, NetShape{.width = 256, .rows = point["rows"]});
  const bool is_first = s->rank->number() == 0;
  auto trial = training_trial(
      s,
      [s, is_first] {
        if (is_first) s->naive.loss({0, s->naive.rows()}, 1).backward();
      },
      [s] {
        s->loss(Form::optimized).backward();
        average_flat(*s->rank, s->optimized.gradients());
      });
  if (!is_first)
    trial.answer = [of_both = trial.answer](Form form) {
      return form == Form::naive ? Answer(std::vector<float>()) : of_both(form);
    };
  trial.before_slot = [s](Form form) { divide_threads(*s->rank, form); };
  trial.figures = [s] {
    const auto nodes = static_cast<double>(numa_nodes(SystemFiles(), s->rank->cpus()).size());
    return std::vector<Figure>{{"memory nodes", "", nodes, nodes}};
  };
  return trial;
}

extern constexpr Step step = checked({
    .id = "parallel/rank_per_socket",
    .claim = "Ranks that share the batch use many processors better than threads that share operators.",
    .claim_ids = "dist-cpu-ddp",
    .sides = {"threads", "ranks"},
    .source = tuning_guide("CPU specific optimizations, Train a model on CPU with PyTorch DDP functionality"),
    .runs = Runs::host,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure"},
    .tolerance = single_sums,
    .row_seconds = 15,
});

}  // namespace microbench::parallel_rank_per_socket
