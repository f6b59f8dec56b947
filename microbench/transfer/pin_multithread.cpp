// Pin tensors on several threads while the main thread queues their copies.
//
// Question: A thousand tensors of 4 MiB lie in ordinary memory. When do four threads that pin them pay, and
// when do they only get in the way?
//
// A copy from ordinary memory goes through a small pinned buffer of the driver's, chunk by chunk, and the
// call returns when the last chunk is in it. Threads can do that part beforehand, each into pinned memory of
// its own, so that the main thread only queues copies that need no processor. The link is then busy all the
// time, while several cores share the copying.
//
// When it hurts: for small or few tensors, since handing each one over costs microseconds, and where memory
// is already as busy as it can be. With `threads:0` the main thread pins by itself: that is the same work as
// before, and more.
//
// A row sends all tensors and waits for the last. The published program measures 1,000 of them; fewer are
// enough here to show what one costs.
//
// Answer: With large tensors: the published 1,000 of 4 MB took 571 -> 358 ms with 4 threads, because several
// cores share the copy that the driver makes with one. With small or few tensors the hand-over costs more,
// and with `threads:0` nothing is shared.

#include "harness/support/thread_loader.hpp"

#include "microbench/tip.hpp"
#include "microbench/transfer/tensors.hpp"

#include <ATen/Parallel.h>

namespace microbench::transfer_pin_multithread {

constexpr std::int64_t tensors = 100;
constexpr Axis axes[] = {
    {.name = "bytes",
     .about = "of each tensor",
     .values = {4 << 10, 4 << 20},
     .quick = {4 << 20},
     .unit = Unit::bytes},
    {.name = "threads", .about = "that pin; 0: the main thread does", .values = {0, 1, 4}, .quick = {4}}};

Trial prepare(Setup& setup, const Point& point) {
  const auto threads = static_cast<int>(point["threads"]);
  if (threads >= setup.threads)
    throw Skip("needs " + std::to_string(threads + 1) + " CPU threads, the session has " +
               std::to_string(setup.threads));
  const auto& stream = *setup.stream;
  const auto s = std::make_shared<ManyCopies>(setup, tensors, point["bytes"], /*pinned=*/false);
  const ThreadPlan plan{
      .batches = tensors, .workers = threads, .prefetch = 8, .on_start = [] { at::set_num_threads(1); }};
  return {
      .naive = [s] { s->copy(/*non_blocking=*/false); },
      .optimized =
          [s, plan, &stream] {
            ThreadLoader<at::Tensor> pinned(
                plan, [s](std::int64_t i) { return s->sources[static_cast<std::size_t>(i)].pin_memory(); });
            for (auto& target : s->targets)
              target = pinned.next()->to(s->device, at::kFloat, /*non_blocking=*/true);
            stream.synchronize();
          },
      .clear = [s] { s->clear(); },
      .answer = [s](Form) { return s->arrived(); },
      .bytes_moved = static_cast<std::size_t>(tensors * point["bytes"]),
  };
}

extern constexpr Step step = checked({
    .id = "transfer/pin_multithread",
    .claim = "Large tensors that threads pin while copies are queued arrive sooner than by blocking copies.",
    .claim_ids = "xfer-pin-multithread",
    .sides = {"blocking copies", "pinned by threads"},
    .source = pinning_tutorial("A note on pin_memory in TensorDict: non_blocking_pin"),
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "571 -> 358 ms (1000 tensors of 4 MB, 4 threads, hardware not stated)",
                    .about = "bytes:4MiB/threads:4"},
});

}  // namespace microbench::transfer_pin_multithread
