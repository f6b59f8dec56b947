// Queue many small copies with non_blocking and wait once, instead of waiting after each.
//
// Question: 1000 tensors of 4 KiB are copied, with a wait after each copy or one at the end. What share of
// the time is waiting, and what share is allocating memory?
//
// `.to(device)` queues a copy and then waits until it has arrived. For a small tensor the copy itself is
// nothing: the price is the call, and then the wait, in which the host does nothing and after which the
// device has nothing to do until the next call. With non_blocking the host queues one copy after the other
// and waits once, at the end. It must wait there: a result that is read before it has arrived is garbage.
// Memory of the host that is not pinned is copied by the driver during the call; that is the same in both
// sides.
//
// When it does not matter: where the copies are few or large (transfer/nonblocking_large), or where they
// could have been one copy: packing them (transfer/batch_small) saves the calls as well as the waits.
//
// `target:new` is `.to()`, which also takes memory of the device for every tensor; the source found that this
// was a large part of its time. `target:kept` copies into tensors that are there already, and so shows the
// waits without it.
//
// A row times 1000 copies; "host kept by the calls" is the host's part of it, up to where it would wait.
//
// Answer: The waits took a quarter of the source's time (25.4 -> 19.4 ms). On the H200 here (commit 7400cad)
// they took 43 %, 14.3 -> 8.11 ms. Compare `target:new` with `target:kept` to see the share of allocating
// memory.

#include "microbench/host_time.hpp"
#include "microbench/tip.hpp"
#include "microbench/transfer/tensors.hpp"

namespace microbench::transfer_nonblocking_many_small {

constexpr std::int64_t tensors = 1000;
enum Target : std::int64_t { fresh, kept };
constexpr Axis axes[] = {
    {.name = "bytes", .about = "of each tensor", .values = {256, 4096}, .quick = {4096}, .unit = Unit::bytes},
    host_memory_axis,
    {.name = "target",
     .about = "new: each copy takes memory of the device, as .to() does; kept: it is there already",
     .quick = {fresh},
     .labels = {"new", "kept"}}};

Trial prepare(Setup& setup, const Point& point) {
  const auto& stream = *setup.stream;
  const auto s = std::make_shared<ManyCopies>(setup, tensors, point["bytes"], point["memory"] != 0);
  const auto copy = [s, keep = point["target"] == kept](bool non_blocking) {
    keep ? s->copy_into(non_blocking) : s->copy(non_blocking);
  };
  return {
      .naive = [copy] { copy(/*non_blocking=*/false); },
      .optimized =
          [copy, &stream] {
            copy(/*non_blocking=*/true);
            stream.synchronize();
          },
      .clear = [s] { s->clear(); },
      .answer = [s](Form) { return s->arrived(); },
      .figures = [copy]() -> std::vector<Figure> {
        return {host_kept([copy] { copy(false); }, [copy] { copy(true); })};
      },
      .bytes_moved = static_cast<std::size_t>(tensors * point["bytes"]),
  };
}

extern constexpr Step step = checked({
    .id = "transfer/nonblocking_many_small",
    .claim = "Many small copies queued with non_blocking and one wait beat a wait after each copy.",
    .claim_ids = "xfer-nonblocking-many-small",
    .sides = {"a wait each", "one wait"},
    .source = pinning_tutorial("non_blocking=True"),
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "25.4 -> 19.4 ms (1000 tensors of 4 KB, hardware not stated)"},
    .suite = Suite::quick,
});

}  // namespace microbench::transfer_nonblocking_many_small
