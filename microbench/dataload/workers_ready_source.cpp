// Load batches without workers where the data set already lies in memory.
//
// Question: The data set lies in memory, and five workers load batches of 4 KiB. Does an epoch get shorter or
// longer if you leave the workers out, and by what factor?
//
// A batch that only has to be copied together takes microseconds. To get it from a worker costs as much or
// more: the worker is woken to make it, the loop is woken to take it, and the batch lies in the cache of
// another core. Waking a thread is one call into the system; a process also needs a message each way. The
// advice "use workers" then slows the loop that it was meant to speed up; the author of the case study
// (docs/stgym.md) tried five of them and took them out again.
//
// When it hurts: where samples are slow to get (workers_slow_source: there workers pay), and with batches so
// large that copying one takes longer than a hand-over (see `batch`).
//
// A row times an epoch, with workers against none, as threads or as processes (`as`). Batches are passed in
// the cheapest way: a ring of memory, made once, that the loop reads in place.
// PyTorch makes new shared memory for each batch of a process and pickles a description of it. The workers
// are started before anything is timed; what starting costs stands beside the times. An epoch ends with empty
// queues, so that none begins with batches that another one paid for.
//
// Answer: Shorter: handing over a batch costs more than copying 4 KiB. On the H200's host (commit 7400cad) an
// epoch took 1.35 ms with five threads and 116 us without workers, a twelfth. With batches of 1 MiB it can
// turn around: there workers made an epoch 8 to 14 % shorter on two cores of an EPYC (commit 03cee4c).

#include "microbench/dataload/epoch.hpp"
#include "microbench/dataload/sources.hpp"
#include "microbench/tip.hpp"

namespace microbench::dataload_workers_ready_source {

constexpr std::int64_t workers[] = {1, 5};
constexpr Axis axes[] = {
    {.name = "as", .about = worker_kinds_about, .quick = {0}, .labels = worker_kind_names},
    {.name = "workers", .about = "of the first side; the second has none", .values = workers, .quick = {5}},
    {.name = "batch",
     .about = "bytes of one batch",
     .values = {4 << 10, 1 << 20},
     .quick = {4 << 10},
     .unit = Unit::bytes},
};

/// In an epoch: enough to fill any queue several times over, few enough that large ones stay quick.
std::int64_t batches_of(std::int64_t size) { return std::clamp<std::int64_t>((8 << 20) / size, 32, 128); }

Trial prepare(Setup& setup, const Point& point) {
  const auto kind = static_cast<WorkerKind>(point["as"]);
  const auto size = point["batch"];
  const auto plan_of = [&](int n) -> EpochPlan {
    return {ready_source, batches_of(size), static_cast<std::size_t>(size), n, kind, setup.loader};
  };
  const auto with = start_epochs(plan_of(static_cast<int>(point["workers"])));
  const auto without = start_epochs(plan_of(0));
  const auto seen = std::make_shared<std::uint64_t>(0);

  return {
      .naive = [seen, with] { *seen = with.run(); },
      .optimized = [seen, without] { *seen = without.run(); },
      .clear = [seen] { *seen = 0; },
      .answer = [seen](Form) { return bytes_of(*seen); },
      .figures = [with, without] { return start_up_figures(with, without); },
  };
}

extern constexpr Step step = checked({
    .id = "dataload/workers_ready_source",
    .claim = "An epoch whose data set already lies in memory is shorter without workers.",
    .claim_ids = "data-workers-hurt",
    .sides = {"workers", "no workers"},
    .source = {.title = "Optimizing PyTorch CUDA performance: a 90% speedup journey",
               .url = "https://xiaohan2012.github.io/2025/torch-cuda-optimization",
               .where = "What was tried that didn't work well, 3"},
    .runs = Runs::host,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "Self CPU up to 32 s with five workers (A30)",
                    .except = "batch:1MiB"},
    .suite = Suite::quick,
});

}  // namespace microbench::dataload_workers_ready_source
