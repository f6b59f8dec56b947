// The first published version against everything published that was kept.
//
// Question: The source went from 21 to 2 s an epoch. Which of its rungs work on a CPU, and what do they add
// up to?
//
// Lesson: workloads/stgym/measure/graph_trial.hpp
//
// Of the published 21 -> 2 s an epoch, 18 are one rung's: index tensors that the host made, and copies of
// them for which it waited (device_indices, 20 -> 2 s). The rest is as small as the scatter of single runs
// there.
//
// When it does not matter: on the CPU most of the ladder has no effect, since most of it is about moving data
// to a device and waiting for one.
//
// The sum of the published ladder: whole epochs of the naive form against whole epochs with every kept rung
// up to `inplace`; the rungs of ours above it have no part in it. The published row mixes in changes that the
// post does not name, so the sum of its named steps is not its end-to-end figure.
//
// Answer: Those that remove work, such as single_tail and no_anomaly: on two cores of an EPYC an epoch became
// 24 % shorter (132 -> 101 ms, commit 3073142). Of the published 19 s, 18 are device_indices', which has
// nothing to save on a CPU.

#include "workloads/stgym/measure/graph_trial.hpp"

namespace workloads::stgym_end_to_end {

using namespace harness;

constexpr Axis axes[] = {stgym::unit_axis(stgym::only_epoch, stgym::only_epoch)};

constexpr PublishedFigure published[] = {
    {.name = "Self CPU", .unit = "s", .before = 54.5, .after = 5.6, .where = stgym::post_profile},
    {.name = "Self CUDA", .unit = "s", .before = 10.9, .after = 3.0, .where = stgym::post_profile},
};

Trial prepare(Setup& setup, const Point&) {
  return stgym::forms_trial(
      setup, {.naive = {}, .optimized = stgym::with(stgym::last_published), .unit = stgym::TimedUnit::epoch});
}

extern constexpr Step step = checked({
    .id = "stgym/end_to_end",
    .claim = "The kept changes together shorten an epoch of STGym's training.",
    .claim_ids = "xfer-stgym-index-build",
    .source = stgym::post("summary"),
    .runs = Runs::session,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "21 -> 2 s/epoch (A30)"},
    .published_profile = published,
    .tolerance =
        {.relative = 1e-6,
         .why = "in place SELU's derivative comes from its result: a layer after it may round otherwise"},
    .cuda_tolerance = stgym::on_cuda,
    .row_seconds = 25,
    .suite = Suite::quick,
});

}  // namespace workloads::stgym_end_to_end
