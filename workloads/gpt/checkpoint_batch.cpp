// Compute activations twice to make room for a larger batch.
//
// Question: A memory holds so many samples of a step and no more. Two ways lead beyond: keep each block's
// input only and compute the rest again in the backward pass (checkpointing), or train the batch in parts and
// add their gradients up (accumulation). Which one takes less time for the same batch?
//
// Checkpointing computes every block's forward pass twice, about a third more arithmetic. What it buys are
// batches several times as large, and a large batch pays where small ones leave the machine idle: launches,
// and products too small for all of its cores. Accumulation adds no arithmetic, but each part is as small as
// before.
//
// How the batches are found: not by a guess. Fresh processes train one step each, and the largest batch whose
// peak stays within the limit is found by bisection, to within a sixteenth, with checkpoints and without.
// What a formula makes of parameters and activations stands beside it.
//
// When it does not pay: where the smaller batch already keeps the machine busy, as on most CPUs. Then the
// memory was bought with time.
//
// The row times one step on the batch that is the largest multiple of the one that fits without checkpoints,
// and fits with them: the first side trains it in parts, the second at once with checkpoints. That batch
// stands among the figures: divided by the times it gives each form's pieces per second. `--memory` sets the
// limit; the default is 256 MiB on the CPU and four fifths of its memory on a GPU. With `--batch-size` it is
// skipped.
//
// Answer: On a machine that the small batch keeps busy, accumulation: checkpoints add a third of the
// arithmetic for nothing. Checkpoints win where small parts leave it idle, in launches or in products too
// small for its cores.

#include "workloads/gpt/gpt_memory.hpp"
#include "workloads/gpt/gpt_rung.hpp"

namespace workloads::gpt_checkpoint_batch {

using namespace harness;

std::vector<Figure> figures_of(const gpt::Room& room) {
  constexpr double mib = 1 << 20;
  const auto of = [](std::int64_t pieces) { return static_cast<double>(pieces); };
  const auto timed = of(room.parts() * room.plain.batch);
  return {
      {"batch of the timed step", "pieces", timed, timed},
      {"largest batch", "pieces", of(room.plain.batch), of(room.checkpointed.batch)},
      {"peak of its step", "MiB", room.plain.peak / mib, room.checkpointed.peak / mib},
      {"largest batch by formula", "pieces", of(room.plain.by_formula), of(room.checkpointed.by_formula)}};
}

Trial prepare(Setup& setup, const Point& /*point*/) {
  if (setup.options.contains("batch-size"))
    throw Skip("it looks for the largest batch itself, within --memory; run it without --batch-size");
  const auto room = gpt::room_for(setup);
  const auto parts = room.parts();
  if (parts < 2)
    throw Skip(fmt::format(
        "with checkpoints {} pieces fit into the memory, without them {}; that is less than twice "
        "as many, so no batch compares both ways",
        room.checkpointed.batch, room.plain.batch));
  auto job = gpt::with_batch(gpt::small_job(setup), parts * room.plain.batch);
  auto in_parts = job;
  in_parts.parts = parts;
  auto checkpointed = training::best();
  checkpointed.checkpoint = true;
  auto trial = training::trainings_trial(setup, {in_parts, training::best()}, {job, checkpointed},
                                         training::TimedUnit::step);
  trial.figures = [room] { return figures_of(room); };
  return trial;
}

extern constexpr Step step = checked({
    .id = "gpt/checkpoint_batch",
    .claim =
        "Where memory limits the batch, checkpointing trains a larger one faster than accumulation does.",
    .claim_ids = "grad-checkpoint-batch",
    .source = {.title = "PyTorch Performance Tuning Guide",
               .url = "https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html",
               .where = "Checkpoint intermediate buffers"},
    .runs = Runs::session,
    .axes = training::step_axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
    .tolerance = gpt::other_order,
    .row_seconds = 400,
    .suite = Suite::named,
});

}  // namespace workloads::gpt_checkpoint_batch
