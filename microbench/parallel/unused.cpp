// Do not have unused parameters searched for if there are none.
//
// Question: A network of 128 small layers, all of which take part in every step. What does
// `find_unused_parameters=True` cost it?
//
// The Reducer waits for a gradient of every parameter before it sends a bucket. A parameter that a step does
// not use never gets one, and the step would wait forever. With `find_unused_parameters=True` each forward
// pass is followed by a walk through its whole graph, to see which parameters occur in it; the others are
// taken for ready. And since another rank may have used what this one did not, a map of the used parameters
// goes around the ranks in every step, one more exchange.
//
// When it does not matter: if a step takes much longer than the walk, a few microseconds for each operator,
// and the small exchange. When it is needed: if parameters are in fact left out, as in a mixture of experts.
// If they always are the same, take them out of the model, or say `static_graph=True`.
//
// A row is a forward and a backward pass on each rank through 128 layers of 64 by 64, all used, in one bucket
// of 2 MiB: first with the search, then without it.
//
// Answer: A walk through the graph of 128 layers in each step, some microseconds for each operator, and one
// more small exchange. It buys nothing if every parameter is used. It shows where the rest of the step is
// short: on two cores of an EPYC, whose loopback exchange takes most of it, the row could not tell (7.93 and
// 7.96 ms, commit 03cee4c).

#include "microbench/parallel/parallel_training.hpp"

namespace microbench::parallel_unused {

using namespace harness;
using namespace parallel;

Trial prepare(Setup& setup, const Point&) {
  const auto s = std::make_shared<const Training>(setup, NetShape{.layers = 128, .width = 64});
  return ddp_trial(s, s->ddp(Form::naive, {.find_unused = true}), s->ddp(Form::optimized, {}));
}

extern constexpr Step step = checked({
    .id = "parallel/unused",
    .claim = "A step whose parameters are all used is faster without a search for unused ones.",
    .claim_ids = "dist-find-unused",
    .sides = {"searched", "not searched"},
    .source = ddp_notes("Internal Design, Forward Pass"),
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .on_cpu = Outcome::helps},
    .tolerance = single_sums,
    .row_seconds = 20,
});

}  // namespace microbench::parallel_unused
