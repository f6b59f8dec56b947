// Give each rank its own shard of the data, instead of letting every rank go through all of it.
//
// Question: Two ranks, and a loader that was not told of them. What does the forgotten sampler cost?
//
// Data parallel training divides the work only where the data are divided. A DataLoader knows nothing of
// ranks: without a DistributedSampler each of them reads, copies and trains on every sample. If all take the
// same batches, the gradients are right all the same, since the mean of N equal gradients is that gradient.
// So the loss looks as it should, N processors do the work of one, and an epoch takes as long as on one, plus
// the exchange. If each rank shuffles on its own, one epoch goes N times through the data.
//
// When it does not matter: if the batch is so small that a step's time does not depend on it. What it costs:
// a sampler must get the epoch (`set_epoch`), or it hands out the same order every time; and where the
// samples do not divide evenly it repeats some.
//
// A row is a forward and a backward pass through 4 layers of 256 by 256 and one all-reduce of their
// gradients, 1 MiB. On the first side each rank takes all 1024 rows of the batch, on the second side its
// shard. Apart from the exchange the second side does 1 / N of the work.
//
// Answer: All of the gain: each rank does the work of the whole batch, and the exchange comes on top. With
// two ranks the second side does half of the work; the loss would never have told you.

#include "microbench/parallel/parallel_training.hpp"

namespace microbench::parallel_sampler {

using namespace harness;
using namespace parallel;

Trial prepare(Setup& setup, const Point&) {
  const auto s = std::make_shared<const Training>(setup, NetShape{.layers = 4, .width = 256, .rows = 1024});
  return training_trial(
      s,
      [s] {
        s->naive.loss({0, s->naive.rows()}, /*ranks=*/1).backward();
        average_flat(*s->rank, s->naive.gradients());
      },
      [s] {
        s->loss(Form::optimized).backward();
        average_flat(*s->rank, s->optimized.gradients());
      });
}

extern constexpr Step step = checked({
    .id = "parallel/sampler",
    .claim = "Ranks that each take a shard of the batch are faster than ranks that each take all of it.",
    .sides = {"whole batch each", "shards"},
    .source = data_loading("torch.utils.data.distributed.DistributedSampler"),
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .on_cpu = Outcome::helps},
    .tolerance = single_sums,
    .row_seconds = 20,
});

}  // namespace microbench::parallel_sampler
