// Keep the workers from one epoch to the next instead of starting them again.
//
// Question: Workers are started in each epoch of 8 batches of 2 ms. What share of the epoch is starting them,
// as threads and as processes?
//
// A loader made in each epoch starts its workers, waits until the first of them has made the first batch, and
// ends them again. Starting a thread costs tens of microseconds. Starting a process costs milliseconds, for a
// new address space is built and its libraries are linked. In Python it depends on how. A fork copies the
// process as it is; that was Linux's default up to Python 3.13. Since 3.14 it is forkserver, and on macOS and
// Windows spawn: there it takes seconds, since each worker imports the libraries once more and gets a copy of
// the data set. Nothing hides that time, because the training has no batch yet. In PyTorch the switch is
// persistent_workers=True, and it is off unless it is set.
//
// When it does not matter: with epochs so long that the start is lost in them; without workers; with threads,
// whose start is cheap (`as:threads` is here for comparison, the source speaks of processes).
//
// A row measures whole epochs of 8 batches with two workers: the first side from the start of the workers to
// their end, the second with workers that were started before. The batches take 2 ms to arrive and no
// processor. The processes of this suite start far more quickly than a Python interpreter: the row is a lower
// bound.
//
// Answer: As threads next to nothing: tens of microseconds beside 16 ms of batches for two workers. As
// processes milliseconds for each, which nothing hides, so that it is a large share of an epoch of 8 batches;
// Python workers that are not forked take seconds.

#include "microbench/dataload/epoch.hpp"
#include "microbench/dataload/sources.hpp"
#include "microbench/tip.hpp"

namespace microbench::dataload_persistent_workers {

constexpr Axis axes[] = {
    {.name = "as", .about = worker_kinds_about, .labels = worker_kind_names},
};

Trial prepare(Setup& setup, const Point& point) {
  const EpochPlan plan{.source = slow_source,
                       .batches = 8,
                       .batch_bytes = slow_sample_bytes,
                       .workers = 2,
                       .kind = static_cast<WorkerKind>(point["as"]),
                       .loader = setup.loader};
  const auto anew = start_in_each_epoch(plan);
  const auto kept = start_epochs(plan);
  const auto seen = std::make_shared<std::uint64_t>(0);

  return {
      .naive = [seen, anew] { *seen = anew(); },
      .optimized = [seen, kept] { *seen = kept.run(); },
      .clear = [seen] { *seen = 0; },
      .answer = [seen](Form) { return bytes_of(*seen); },
  };
}

extern constexpr Step step = checked({
    .id = "dataload/persistent_workers",
    .claim = "Workers that are kept between epochs make an epoch shorter than workers started in each.",
    .claim_ids = "data-persistent-workers",
    .sides = {"started again", "kept"},
    .source = data_loading("torch.utils.data.DataLoader, persistent_workers"),
    .runs = Runs::host,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .about = "as:processes"},
});

}  // namespace microbench::dataload_persistent_workers
