// Synchronize gradients once for several small batches, instead of after each of them.
//
// Question: A batch of 256 rows comes in 4 pieces. How much of a step is saved if only the last piece's
// backward pass exchanges gradients?
//
// backward() adds to the gradients that are there. DistributedDataParallel does not know that more pieces
// follow, and exchanges all gradients in every backward pass: k pieces send k times the bytes. The sum of the
// pieces is the same whether it is averaged over the ranks each time or once at the end, since a mean of sums
// is a sum of means. So PyTorch's `no_sync()` leaves the exchange out: gradients add up on each rank, and the
// first backward pass outside of it sends what has come together.
//
// When it does not matter: if pieces are so large that the exchange hides behind their backward pass. When
// it hurts: hardly ever; the gradients of a step that is not synchronized must stay as they are until the
// last one, so nothing may read or clip them in between. Forget to leave no_sync() for the last piece, and
// each rank trains a model of its own.
//
// A row is `pieces` forward and backward passes on each rank, over its rows of the batch, through 8 layers of
// 512 by 512, with LibTorch's Reducer around them: on the first side all passes exchange 8 MiB, on the
// second side the last one does.
//
// Answer: Three of four exchanges, 24 of 32 MiB: three quarters of whatever part of the exchange does not
// hide behind a backward pass.

#include "microbench/parallel/parallel_training.hpp"

namespace microbench::parallel_no_sync {

using namespace harness;
using namespace parallel;

constexpr Axis axes[] = {
    {.name = "pieces", .about = "small batches to a step", .values = {2, 4, 8}, .quick = {4}}};

void train(const Training& s, Form form, Ddp& ddp, std::int64_t pieces) {
  const auto mine = s.my_rows();
  const auto rows = (mine.end - mine.first) / pieces;
  for (std::int64_t i = 0; i < pieces; ++i) {
    const bool last = i + 1 == pieces;
    const auto first = mine.first + i * rows;
    const auto loss = s.of(form).loss({first, last ? mine.end : first + rows}, s.rank->size());
    last || form == Form::naive ? ddp.backward(loss) : Ddp::backward_alone(loss);
  }
}

Trial prepare(Setup& setup, const Point& point) {
  const auto s = std::make_shared<const Training>(setup, NetShape{.rows = 256});
  const auto naive = std::make_shared<Ddp>(s->ddp(Form::naive, {}));
  const auto optimized = std::make_shared<Ddp>(s->ddp(Form::optimized, {}));
  const auto pieces = point["pieces"];
  return training_trial(
      s, [s, naive, pieces] { train(*s, Form::naive, *naive, pieces); },
      [s, optimized, pieces] { train(*s, Form::optimized, *optimized, pieces); });
}

extern constexpr Step step = checked({
    .id = "parallel/no_sync",
    .claim =
        "Steps of several small batches are faster if gradients are exchanged once, after the last batch.",
    .claim_ids = "dist-no-sync",
    .sides = {"each batch", "once"},
    .source = tuning_guide("Distributed optimizations, Skip unnecessary all-reduce if training with "
                           "DistributedDataParallel and gradient accumulation"),
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .on_cpu = Outcome::helps},
    .tolerance = single_sums,
    .row_seconds = 40,
});

}  // namespace microbench::parallel_no_sync
