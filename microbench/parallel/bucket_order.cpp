// Construct layers in the order in which they run.
//
// Question: The layers of a network were constructed last first, and unused parameters are searched for. Does
// a step take longer than with the layers in order?
//
// Buckets are sent in one order on all ranks, since all must take part in the same exchange. The Reducer
// begins with the last parameters, of which it expects the first gradients. If the layers were constructed in
// another order than they run in, the bucket that is to go first gets its gradients last: the others are full
// and wait, and every exchange begins when the backward pass is over. After the first step the Reducer
// rebuilds its buckets in the order in which gradients really came, and all is well; but not with
// `find_unused_parameters=True`, where that order may change from step to step.
//
// When it does not matter: without the search for unused parameters; or if the exchange cannot hide behind
// the backward pass anyway (see parallel/overlap), as with one CPU per rank over the loopback.
//
// A row is a forward and a backward pass on each rank through 8 layers of 512 by 512 with buckets of 1 MiB
// and the search switched on. The first side gives the Reducer its parameters in the reverse order, the
// second side in the order of the layers.
//
// Answer: Yes, if the exchange can hide at all: the bucket that must go first is filled last, so nothing
// leaves before the backward pass is over. Without a processor or link to spare beside the backward pass
// both orders take the same.

#include "microbench/parallel/parallel_training.hpp"

namespace microbench::parallel_bucket_order {

using namespace harness;
using namespace parallel;

Trial prepare(Setup& setup, const Point&) {
  const auto s = std::make_shared<const Training>(setup, NetShape{});
  const DdpOptions options{.bucket_bytes = DdpOptions::mib, .find_unused = true};
  auto backwards = s->naive.parameters();
  std::ranges::reverse(backwards);
  return ddp_trial(s, Ddp(*s->rank, backwards, options), s->ddp(Form::optimized, options));
}

extern constexpr Step step = checked({
    .id = "parallel/bucket_order",
    .claim = "With a search for unused parameters, layers constructed in the order in which they run are "
             "exchanged sooner.",
    .claim_ids = "dist-bucket-order",
    .sides = {"reverse order", "run order"},
    .source = ddp_notes("Internal Design, Construction"),
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure"},
    .tolerance = single_sums,
    .row_seconds = 30,
});

}  // namespace microbench::parallel_bucket_order
