// Copy many small gradients into one buffer and exchange that, instead of each by itself.
//
// Question: There are 128 gradients of 16 KiB. How much more does an exchange for each cost than one exchange
// of all 2 MiB?
//
// The time of a message is a + n / b: a fixed part a for the calls, the wake-ups and the way to the other
// rank and back, and its n bytes at the link's rate b. `tuneproof prices` shows it (collective/all_reduce):
// over the loopback of two cores an all-reduce's fixed part was 1.2 to 1.9 ms (docs/parallel.md, commit
// cfcca76). Below n = a b bytes most of the time is the fixed part, and two messages joined into one take
// hardly longer than either. An all-reduce among N ranks pays the fixed part in each of its 2 (N - 1) turns
// around the ring.
//
// What it costs: the gradients are copied twice, into the buffer and back. When it does not matter: for
// gradients of many megabytes, where the fixed part is nothing beside the bytes. When it hurts: if it makes
// the exchange wait for the last gradient, where small ones could have been on their way (see
// parallel/overlap).
//
// A row is a forward and a backward pass on each rank through 128 layers of 64 by 64, and the exchange of
// their gradients after it: with one all-reduce for each, or with one for all.
//
// Answer: 128 fixed parts against one; the bytes of 2 MiB take hardly longer than one such part. So most of
// the exchange's time disappears for two copies of 2 MiB.

#include "microbench/parallel/parallel_training.hpp"

namespace microbench::parallel_flat {

using namespace harness;
using namespace parallel;

Trial prepare(Setup& setup, const Point&) {
  const auto s = std::make_shared<const Training>(setup, NetShape{.layers = 128, .width = 64});
  return training_trial(
      s,
      [s] {
        s->loss(Form::naive).backward();
        average_each(*s->rank, s->naive.gradients());
      },
      [s] {
        s->loss(Form::optimized).backward();
        average_flat(*s->rank, s->optimized.gradients());
      });
}

extern constexpr Step step = checked({
    .id = "parallel/flat",
    .claim = "One all-reduce of all gradients in one buffer costs less than one all-reduce for each of many "
             "small gradients.",
    .claim_ids = "dist-bucket-overlap",
    .sides = {"each gradient", "one buffer"},
    .source = {.title = "PyTorch Distributed: Experiences on Accelerating Data Parallel Training",
               .url = "https://arxiv.org/abs/2006.15704",
               .where = "section 3.2.2, Gradient Bucketing"},
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .on_cpu = Outcome::helps},
    .tolerance = single_sums,
    .row_seconds = 40,
});

}  // namespace microbench::parallel_flat
