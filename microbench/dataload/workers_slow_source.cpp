// Load batches with workers while the training computes: when the source is slow.
//
// Question: Each sample takes 2 ms to arrive. What remains of an epoch's time with four workers, and with
// one?
//
// Without workers the loop alternates: load, compute, load, compute, and each waits for the other. Workers
// make the next batches at the same time, and several of them wait for several samples at once. With w
// workers an epoch takes about max(computing, loading / w), plus the time to the first batch, which nothing
// hides.
//
// When it does not matter: where loading costs little (see workers_ready_source: the same tip, the opposite
// verdict); once loading / w is below the time that computing takes, since more workers then only cost
// memory. One worker gains little where nearly all of an epoch is loading (`workers:1`, where nothing is
// expected): it waits as long as the loop would have waited itself.
//
// Here each sample takes 2 ms to arrive and needs no processor meanwhile, as from a disk or a network. Were
// the 2 ms spent computing, as in a decoder, no more workers could help than there are cores to spare.
//
// `as:threads` share the address space, `as:processes` pass batches through shared memory, as PyTorch's do
// in Python, where the interpreter's lock (GIL) lets one thread run at a time. They are started before
// anything is timed (in PyTorch: persistent_workers); what starting costs stands beside the times. An epoch
// ends with empty queues, so that none begins with batches that another one paid for.
//
// Answer: With four workers about a quarter, with one all of it, since here nearly everything is loading. On
// the H200's host (commit 7400cad) four threads took 33.5 -> 8.59 ms, 74 % less.

#include "microbench/dataload/epoch.hpp"
#include "microbench/dataload/sources.hpp"
#include "microbench/tip.hpp"

namespace microbench::dataload_workers_slow_source {

constexpr std::int64_t batches = 8;
constexpr std::size_t samples = 2;  // in a batch
constexpr Axis axes[] = {
    {.name = "as", .about = worker_kinds_about, .labels = worker_kind_names},
    {.name = "workers", .about = "of the fast form; the slow one has none", .values = {1, 4}, .quick = {4}},
};

Trial prepare(Setup& setup, const Point& point) {
  const auto kind = static_cast<WorkerKind>(point["as"]);
  const auto plan_of = [&](int n) -> EpochPlan {
    return {slow_source, batches, samples * slow_sample_bytes, n, kind, setup.loader};
  };
  const auto without = start_epochs(plan_of(0));
  const auto with = start_epochs(plan_of(static_cast<int>(point["workers"])));
  const auto seen = std::make_shared<std::uint64_t>(0);

  return {
      .naive = [seen, without] { *seen = without.run(); },
      .optimized = [seen, with] { *seen = with.run(); },
      .clear = [seen] { *seen = 0; },
      .answer = [seen](Form) { return bytes_of(*seen); },
      .figures = [without, with] { return start_up_figures(without, with); },
  };
}

extern constexpr Step step = checked({
    .id = "dataload/workers_slow_source",
    .claim = "Workers that load ahead shorten an epoch whose samples are slow to arrive.",
    .claim_ids = "data-workers-overlap",
    .sides = {"no workers", "workers"},
    .source = tuning_guide("Enable asynchronous data loading and augmentation"),
    .runs = Runs::host,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .about = "workers:4"},
    .row_seconds = 6,
    .suite = Suite::quick,
});

}  // namespace microbench::dataload_workers_slow_source
