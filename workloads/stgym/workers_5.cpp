// Leave the five workers of the loader out where the data lie in memory.
//
// Question: Five workers load graphs that lie in memory. Does an epoch get shorter or longer if you leave
// them out, as threads and as processes?
//
// Lesson: workloads/stgym/measure/graph_trial.hpp
//
// A loader with workers makes batches ahead of time while the device trains. That pays where making a batch
// is slow and the device would wait for it. Here the data lie in memory already, and making a batch is a
// search for neighbors and a few copies. Threads share the data where they lie. Processes cannot share a
// device's memory as easily: they map the set on the host and pass batches through shared memory.
//
// Workers cost most with few cores, which they take from training, and in short epochs, since each one starts
// its workers again (threads here; processes are kept). The author tried five of them, saw CPU time of up to
// 32 s, and took them out again, so they are a branch of the ladder.
//
// When it does not matter: with as many free cores as workers and a step that takes far longer than a
// hand-over. When it hurts: where a batch is slow to make (dataload/workers_slow_source).
//
// A row times an epoch, five workers against none, as threads or as processes (`loader`), with the data set
// on the device or on the host (`data`). Both sides have all changes below this one.
//
// Answer: As long, or shorter: the data lie in memory, so workers have no slow source to hide; hand-overs,
// starts and the cores that they take are the price, for processes more than for threads. On two cores of an
// EPYC an epoch was as long with five threads as without (commit 03cee4c); with processes it took 2.4 times
// as long, but that row got no verdict.

#include "workloads/stgym/measure/graph_trial.hpp"

namespace workloads::stgym_workers_5 {

using namespace harness;

constexpr Axis axes[] = {
    {.name = "against", .about = "below: both sides have the kept rungs below this one", .labels = {"below"}},
    stgym::unit_axis(stgym::only_epoch, stgym::only_epoch),
    {.name = "loader",
     .about = "the five workers as threads, or as processes that pass batches through shared memory",
     .quick = {0},
     .labels = {"threads", "processes"}},
    {.name = "data",
     .about = "where the data set lies: on the device of the session, as published, or on the host, from "
              "where each batch moves",
     .values = {0, 1},
     .quick = {0},
     .labels = stgym::data_labels},
};

constexpr PublishedFigure published[] = {
    {.name = "Self CPU", .unit = "s", .before = 32.0, .where = "A30, at a stage that the post does not name"},
};

constexpr RowCost costs[] = {{"loader:processes", 50}};

Trial prepare(Setup& setup, const Point& point) {
  auto forms = stgym::rung_forms(point, &stgym::Switches::workers_5);
  std::swap(forms.naive, forms.optimized);  // the tip is to leave the workers out
  forms.loader_kind = stgym::Workers{point["loader"]};
  forms.data = stgym::Data{point["data"]};
  if (forms.loader_kind == stgym::Workers::processes && forms.data == stgym::Data::device)
    throw Skip("worker processes pass host memory; see data:host");
  if (forms.loader_kind == stgym::Workers::threads && forms.data == stgym::Data::host &&
      !setup.device.is_cuda())
    throw Skip("on the CPU the data lie in host memory either way; see data:device");
  return stgym::forms_trial(setup, forms);
}

extern constexpr Step step = checked({
    .id = "stgym/workers_5",
    .claim = "An epoch whose data are in memory already is shorter without five loader workers.",
    .claim_ids = "data-workers-hurt",
    .sides = {"five workers", "no workers"},
    .source = stgym::post("what did not work, 3 (commit 51647a0)"),
    .runs = Runs::session,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "CPU time up to 32 s with five workers (A30)"},
    .published_profile = published,
    .cuda_tolerance = stgym::on_cuda,
    .row_seconds = 22,
    .other_costs = costs,
    .suite = Suite::quick,
});

}  // namespace workloads::stgym_workers_5
