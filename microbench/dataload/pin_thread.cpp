// Pin batches in a thread of the loader instead of in the training loop, or not at all.
//
// Question: Pinning costs a copy by the processor. Why can a loader with pin_memory=True still be faster, and
// by how much?
//
// Batches come out of ordinary memory, and the device fetches pinned memory only. Somebody must copy each
// batch from the one to the other with the processor. Without pinning the driver does it, inside of the copy
// call and while the loop waits. A loop that calls pin_memory() does it itself, and waits just as long. A
// separate thread does it while the loop and the device are busy with the previous batch: that is why loaders
// with pin_memory=True are quicker, besides the faster copy to the device. In PyTorch that thread exists only
// with num_workers > 0; without workers the training's own thread pins. In Python it also unpacks each batch
// that a worker sends, and holds the interpreter's lock for that: with batches of many small tensors it can
// hold up the loop (pytorch/issues/77139).
//
// When it does not matter: where the loop never waits for the device, since it then pins while the device
// computes; where the step is far shorter than the copy, since the loop then waits for the thread; on
// machines without a core to spare. It costs memory that cannot be paged out, as many batches as the queue is
// long.
//
// A row measures epochs of 8 batches. The loop reads the loss after each step, as loops do that log it, and
// the step's kernel is made as long as the processor's copy of a batch. One thread pins, two batches ahead,
// into memory that is pinned once; naive, `without:pinning` copies straight from ordinary memory, and
// `without:thread` through one pinned buffer.
//
// Answer: Because a thread of the loader does that copy while the loop and the device work on the batch
// before. The most that it can save is the copy, where it is no longer than the step. On the H200 here
// (commit 7400cad, batches of 16 MiB) an epoch took 34 % less than with plain copies from ordinary memory.

#include "microbench/dataload/pinning.hpp"
#include "microbench/tip.hpp"

namespace microbench::dataload_pin_thread {

constexpr Axis axes[] = {
    {.name = "without",
     .about =
         "what the slow form lacks. pinning: batches stay in ordinary memory; thread: the loop pins them",
     .quick = {0},
     .labels = {"pinning", "thread"}},
    {.name = "batch",
     .about = "bytes of one batch",
     .values = {1 << 20, 16 << 20},
     .quick = {16 << 20},
     .unit = Unit::bytes},
};
constexpr std::int64_t batches = 8;

void epoch_without_pinning(PinningEpoch& e) {
  for (std::int64_t i = 0; i < batches; ++i) e.train(i, e.batch(i));
}

void epoch_without_thread(PinningEpoch& e) {
  for (std::int64_t i = 0; i < batches; ++i) e.train(i, e.pin(i));
}

void epoch_with_thread(PinningEpoch& e) {
  e.loader().restart();
  for (std::int64_t i = 0; const auto pinned = e.loader().next(); ++i) e.train(i, *pinned);
}

Trial prepare(Setup& setup, const Point& point) {
  const auto size = static_cast<std::size_t>(point["batch"]);
  require_device_memory(size);
  const auto e = std::make_shared<PinningEpoch>(batches, size, setup);
  e->rounds = setup.calibrated("dataload/pin_thread/rounds/" + std::to_string(size),
                               [&] { return rounds_as_long_as_pinning(*e); });
  const bool pins = point["without"] == 1;

  return {
      .naive = [e, pins] { pins ? epoch_without_thread(*e) : epoch_without_pinning(*e); },
      .optimized = [e] { epoch_with_thread(*e); },
      .clear = [e] { std::ranges::fill(e->losses, -1.0F); },
      .answer = [e](Form) -> Answer { return e->losses; },
  };
}

extern constexpr Step step = checked({
    .id = "dataload/pin_thread",
    .claim =
        "A loader's thread that pins batches ahead makes steps shorter than pinning in the loop or none.",
    .claim_ids = "data-pin-thread",
    .sides = {"in the loop", "pinned by a thread"},
    .source = pinning_tutorial("Additional considerations"),
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure"},
    .suite = Suite::quick,
});

}  // namespace microbench::dataload_pin_thread
