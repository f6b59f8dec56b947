// Fill buckets with many gradients before they are sent, instead of sending each gradient as soon as it is
// computed.
//
// Question: A network has 96 layers with 64 KiB of gradients each. Which is the fastest here, and by how
// much: a bucket for each layer, buckets of 1 MiB, of 25 MiB (PyTorch's default), or one for all?
//
// A bucket is one all-reduce. Small buckets start early, so that more of the exchange hides behind the
// backward pass; but each pays the fixed part of a message (see parallel/flat), and each is copied and
// waited for. Large buckets pay it seldom, but start late, and the last one starts when the backward pass is
// over. In between lies the best size: large enough that n bytes take much longer than the fixed part, small
// enough that many of them are on their way while there is still work to do. DistributedDataParallel's
// default is 25 MiB, with a first bucket of 1 MiB so that the first exchange begins soon.
//
// When it does not matter: on one rank; or if gradients are so large that each fills a bucket. When large
// buckets hurt: on a slow link with a long backward pass, where the last bucket's exchange stands alone at
// the end.
//
// A row is a forward and a backward pass on each rank through 96 layers of 128 by 128, 6 MiB of gradients. On
// the first side LibTorch's Reducer has one bucket for each of the 96 gradients, on the second side
// buckets of `cap` at most. With `cap:25MiB` and `cap:all` there is one bucket: the two should not differ.
//
// Answer: One bucket for each layer is the slowest: 96 times the fixed part of a message. `cap:25MiB` and
// `cap:all` are one bucket and equal. 1 MiB, six buckets, can win where the exchange hides behind the
// backward pass; over a loopback with one CPU a rank the difference is small.

#include "microbench/parallel/parallel_training.hpp"

namespace microbench::parallel_bucket_size {

using namespace harness;
using namespace parallel;

constexpr std::size_t caps[] = {DdpOptions::mib, 25 * DdpOptions::mib, DdpOptions::everything};
constexpr Axis axes[] = {
    {.name = "cap", .about = "the most bytes of a bucket", .labels = {"1MiB", "25MiB", "all"}}};

Trial prepare(Setup& setup, const Point& point) {
  const auto s = std::make_shared<const Training>(setup, NetShape{.layers = 96, .width = 128});
  const auto cap = caps[point["cap"]];
  return ddp_trial(s, s->ddp(Form::naive, {.bucket_bytes = 1}),
                   s->ddp(Form::optimized, {.bucket_bytes = cap}));
}

extern constexpr Step step = checked({
    .id = "parallel/bucket_size",
    .claim = "Buckets of many gradients are exchanged faster than each gradient by itself.",
    .claim_ids = "dist-bucket-overlap",
    .sides = {"each gradient", "buckets"},
    .source = ddp_api("bucket_cap_mb"),
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .on_cpu = Outcome::helps},
    .tolerance = single_sums,
    .row_seconds = 30,
});

}  // namespace microbench::parallel_bucket_size
