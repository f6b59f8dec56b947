// Send gradients in buckets while the backward pass still runs, instead of all of them after it.
//
// Question: Two processes on this machine exchange 8 MB of gradients in every step: how much of the exchange
// hides behind the backward pass?
//
// Every rank has its own rows of the batch, and so its own gradients. An all-reduce adds them up and gives
// every rank the sum. It goes around a ring: each rank sends a part to its neighbor, which adds its own and
// sends it on, until every part has met all ranks; then the sums go around once more. So each rank sends 2 n
// (N - 1) / N of n bytes, nearly twice n however many ranks there are. The backward pass finishes the
// gradients of the last layer first. DistributedDataParallel gathers them in buckets, and a full bucket
// starts on its way while the layers before are still at work. The last bucket cannot hide: when it is full
// the backward pass is over.
//
// When it does not matter: if the exchange needs the processor that the backward pass runs on. Gloo over the
// loopback is such a case: the kernel copies each byte, and Gloo adds the numbers up, on the rank's own CPUs.
// With one CPU per rank nothing can run beside anything, and buckets save no more than the time in which a
// CPU would have waited for another rank. With a second CPU per rank, or a network card or a GPU that does
// the copying, the exchange hides.
//
// What it costs: a bucket is one more message, and a copy of the gradients into it (see
// parallel/bucket_size).
//
// A row is a forward and a backward pass on each rank over its rows of a batch of 64, through 8 layers of 512
// by 512. The first side copies all gradients into one buffer after the backward pass, and makes one
// all-reduce of it. The second side has LibTorch's Reducer send a bucket of 1 MiB, which is a layer, as
// soon as it is full. Each rank runs on CPUs of its own, with one thread; `--ranks` says how many there are.
//
// Answer: Nothing with one CPU for each rank over the loopback: the same CPU copies and adds the bytes and
// runs the backward pass, and buckets are more messages (34 % longer on two cores of an EPYC, commit
// 03cee4c). All but the last bucket can hide where another processor, a network card or a GPU moves them.

#include "microbench/parallel/parallel_training.hpp"

namespace microbench::parallel_overlap {

using namespace harness;
using namespace parallel;

Trial prepare(Setup& setup, const Point&) {
  const auto s = std::make_shared<const Training>(setup, NetShape{});
  const auto ddp = std::make_shared<Ddp>(s->ddp(Form::optimized, {.bucket_bytes = DdpOptions::mib}));
  return training_trial(
      s,
      [s] {
        s->loss(Form::naive).backward();
        average_flat(*s->rank, s->naive.gradients());
      },
      [s, ddp] { ddp->backward(s->loss(Form::optimized)); });
}

extern constexpr Step step = checked({
    .id = "parallel/overlap",
    .claim = "Gradients that are exchanged in buckets during the backward pass cost less than one exchange "
             "after it.",
    .claim_ids = "dist-bucket-overlap",
    .sides = {"after the pass", "in buckets"},
    .source = ddp_notes("Internal Design, Backward Pass"),
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure"},
    .tolerance = single_sums,
    .row_seconds = 30,
});

}  // namespace microbench::parallel_overlap
