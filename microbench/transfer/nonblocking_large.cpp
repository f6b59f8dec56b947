// Queue large copies with non_blocking and wait once, instead of waiting after each.
//
// Question: One wait instead of 16 helps small copies. At 16 MiB a copy, how much of the gain remains, and
// does pinning change it?
//
// The gain is the same as for small copies: between two of them the link does not stand still while the host
// wakes up and makes its next call. But the gap stays as long as it was while the copy grows, so that it is a
// smaller and smaller share. What large copies gain from non_blocking is something else: the host is free
// while they run.
//
// Free, that is, if the source is pinned. From ordinary memory the copy is "asynchronous" in name only: the
// driver copies the pages into its own pinned memory within the call, and the host is busy with that for
// about as long as the transfer takes. The figure "host kept by the calls" shows this: how long the calls
// last before anybody waits. With pinned memory and non_blocking it is a few microseconds a copy.
//
// When it does not matter: where the host has nothing else to do, and the copies are long. At 16 MiB from
// ordinary memory a wait is less than the margin beside the copy before it, and nothing is expected.
//
// A row times 16 copies, each into memory that `.to()` takes for it.
//
// Answer: A few percent from pinned memory (published 363 -> 339 ms), since the wait is as long as before
// beside a much longer copy; from ordinary memory the call stages the bytes itself, and the host is not
// free. What pinning gives is a free host.

#include "microbench/host_time.hpp"
#include "microbench/tip.hpp"
#include "microbench/transfer/tensors.hpp"

namespace microbench::transfer_nonblocking_large {

constexpr std::int64_t tensors = 16;
constexpr Axis axes[] = {{.name = "bytes",
                          .about = "of each tensor",
                          .values = {1 << 20, 4 << 20, 16 << 20},
                          .quick = {4 << 20},
                          .unit = Unit::bytes},
                         host_memory_axis};

Trial prepare(Setup& setup, const Point& point) {
  const auto& stream = *setup.stream;
  const auto s = std::make_shared<ManyCopies>(setup, tensors, point["bytes"], point["memory"] != 0);
  return {
      .naive = [s] { s->copy(/*non_blocking=*/false); },
      .optimized =
          [s, &stream] {
            s->copy(/*non_blocking=*/true);
            stream.synchronize();
          },
      .clear = [s] { s->clear(); },
      .answer = [s](Form) { return s->arrived(); },
      .figures = [s]() -> std::vector<Figure> {
        return {host_kept([s] { s->copy(false); }, [s] { s->copy(true); })};
      },
      .bytes_moved = static_cast<std::size_t>(tensors * point["bytes"]),
  };
}

extern constexpr Step step = checked({
    .id = "transfer/nonblocking_large",
    .claim = "Large copies queued with non_blocking and one wait beat a wait after each copy.",
    .claim_ids = "xfer-nonblocking-large",
    .sides = {"a wait each", "one wait"},
    .source = pinning_tutorial("Synergies"),
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "569 -> 491 ms pageable, 363 -> 339 ms pinned (1000 tensors of 4 MB)",
                    .except = "bytes:16MiB/memory:pageable"},
});

}  // namespace microbench::transfer_nonblocking_large
