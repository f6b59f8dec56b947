// Load batches with five workers.
//
// Question: Five workers load graphs that lie in memory. Does an epoch get shorter or longer, as threads and
// as processes?
//
// Lesson: workloads/stgym/measure/graph_trial.hpp
//
// A loader with workers makes batches ahead of time while the device trains. That pays where making a batch
// is slow and the device would wait for it. Here the data lie in memory already, and making a batch is a
// search for neighbors and a few copies. Threads share the data where they lie. Processes cannot share a
// device's memory as easily: they map the set on the host and pass batches through shared memory.
//
// When it does not matter, or hurts: with data in memory; with few cores, which the workers take from
// training; in short epochs, since each one starts its workers again (threads here; processes are kept). It
// is a branch: its author took it back.
//
// A row times an epoch, without workers against five of them, as threads or as processes (`loader`), with the
// data set on the device or on the host (`data`).
//
// Answer: Longer: the data lie in memory, so there is no source to hide; hand-overs, starts and the cores
// that workers take are the price, for processes more than for threads. The author saw CPU time of up to 32
// s, and took the workers out again.

#include "workloads/stgym/measure/graph_trial.hpp"

namespace workloads::stgym_workers_5 {

using namespace harness;

constexpr Axis axes[] = {
    stgym::against,
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
    {.name = "Self CPU", .unit = "s", .after = 32.0, .where = "A30, at a stage that the post does not name"},
};

constexpr RowCost costs[] = {{"loader:processes", 50}};

Trial prepare(Setup& setup, const Point& point) {
  auto forms = stgym::rung_forms(point, &stgym::Switches::workers_5);
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
    .claim = "Five loader workers make an epoch longer whose data are in memory already.",
    .claim_ids = "data-workers-hurt",
    .source = stgym::post("what did not work, 3 (commit 51647a0)"),
    .runs = Runs::session,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::hurts,
                    .published = "CPU time up to 32 s (A30)",
                    .on_cpu = Outcome::hurts,
                    .about = "against:below"},
    .published_profile = published,
    .cuda_tolerance = stgym::on_cuda,
    .row_seconds = 22,
    .other_costs = costs,
    .suite = Suite::quick,
});

}  // namespace workloads::stgym_workers_5
