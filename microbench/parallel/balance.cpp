// Give every rank the same amount of work, instead of leaving one with more.
//
// Question: Two ranks share a batch of 2048 rows, three quarters to one and a quarter to the other. How much
// longer is a step than with half each?
//
// No rank has the sum of the gradients before every rank has sent its own. So a step takes as long as the
// slowest rank, and the others wait for it, whatever they were spared. Shards of equal numbers of samples are
// not equal work if sequences or graphs differ in size: count tokens, nodes or pixels, or sort samples of
// like size into one batch.
//
// When it does not matter: if the step waits for something else, such as a slow exchange. What it costs: to
// balance by size, sizes must be known before the batch is made, and batches sorted by size are no longer
// drawn at random.
//
// A row is a forward and a backward pass over each rank's rows through 4 layers of 128 by 128, and one
// all-reduce of 256 KiB, so that work counts for more than the exchange. On the first side ranks of even
// number have three times the rows of the others, on the second side all have the same; both add up to
// 2048. The losses are weighted so that the mean over the ranks is the whole batch's gradient. With two ranks
// that are not held up otherwise, the second side should take two thirds of the time; `rank 1, CPU time of
// a run` shows who has waited.
//
// Answer: Half as long again: the step takes as long as the rank with three quarters, which has 1.5 times
// the rows of an even half. So the second side takes two thirds of the time, if the exchange is small.

#include "microbench/parallel/parallel_training.hpp"

namespace microbench::parallel_balance {

using namespace harness;
using namespace parallel;

/// Ranks of even number count three times.
Rows uneven_rows(std::int64_t rows, int rank, int size) {
  const auto weight_before = [](int number) { return std::int64_t{number} + 2 * ((number + 1) / 2); };
  const auto all = weight_before(size);
  return {rows * weight_before(rank) / all, rows * weight_before(rank + 1) / all};
}

void train(const Training& s, Form form, Rows rows) {
  const auto& replica = s.of(form);
  replica.loss(rows, s.rank->size()).backward();
  average_flat(*s.rank, replica.gradients());
}

Trial prepare(Setup& setup, const Point&) {
  const auto s = std::make_shared<const Training>(setup, NetShape{.layers = 4, .width = 128, .rows = 2048});
  const auto uneven = uneven_rows(s->naive.rows(), s->rank->number(), s->rank->size());
  return training_trial(
      s, [s, uneven] { train(*s, Form::naive, uneven); }, [s] { train(*s, Form::optimized, s->my_rows()); });
}

extern constexpr Step step = checked({
    .id = "parallel/balance",
    .claim = "Ranks with equal work finish a step sooner than ranks of which one has more.",
    .claim_ids = "dist-load-balance",
    .sides = {"uneven", "equal"},
    .source = tuning_guide("Distributed optimizations, Load-balance workload in a distributed setting"),
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .on_cpu = Outcome::helps},
    .tolerance = single_sums,
    .row_seconds = 15,
});

}  // namespace microbench::parallel_balance
