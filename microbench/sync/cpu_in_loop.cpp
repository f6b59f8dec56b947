// Collect results on the host without `.cpu()` in the loop: queue the copies and wait once.
//
// Question: `.cpu()` on four bytes in each iteration: does it cost less than `.cpu()` on 256 KiB, and why not
// in proportion?
//
// `.cpu()` makes a new tensor of ordinary memory, copies into it and waits until the copy is done, and with
// it everything that was queued before. In a loop, host and device then work in turns. With pinned memory
// that was set aside before the loop, `copy_` with non_blocking only queues the copy: the host runs ahead and
// waits once, after the loop, before it reads.
//
// Three things change together, for they only work together: the wait, the kind of memory, and reusing it
// instead of allocating it each time. The price is pinned memory for all the results, which the system cannot
// page out. And you must not read a result before the wait (sync/d2h_garbage).
//
// When it does not matter: where an iteration takes far longer than the wait and the copy, or where the host
// needs the value to decide what to do next. On the CPU `.cpu()` gives back the tensor itself.
//
// A row measures twenty iterations of seven kernels over 1024 x 1024 values; `bytes` of each result are
// brought to the host.
//
// Answer: Hardly: both wait for the seven kernels before them, and that wait is most of the price. The bytes
// add a few microseconds at the link's rate, so that 65,536 times the bytes are far from 65,536 times the
// time.

#include "harness/cuda/stream.hpp"

#include "microbench/sync/loop_body.hpp"
#include "microbench/tip.hpp"

namespace microbench::sync_cpu_in_loop {

constexpr Axis axes[] = {{.name = "bytes",
                          .about = "brought to the host in each iteration",
                          .values = {4, 4 << 10, 256 << 10, 4 << 20},
                          .unit = Unit::bytes}};
constexpr std::int64_t side = 1024;
constexpr int loop = 20;

struct State {
  State(std::int64_t count, at::Device device)
      : body(side, device), part(body.y.view(-1).narrow(0, 0, count)), pageable(loop) {
    const auto options = at::TensorOptions().dtype(at::kFloat).pinned_memory(true);
    for (int i = 0; i < loop; ++i) pinned.push_back(at::empty({count}, options));
  }
  LoopBody body;
  at::Tensor part;
  std::vector<at::Tensor> pageable, pinned;
};

Trial prepare(Setup& setup, const Point& point) {
  const auto count = point["bytes"] / static_cast<std::int64_t>(sizeof(float));
  const auto& stream = *setup.stream;
  const auto s = std::make_shared<State>(count, torch_device(setup.device));

  return {
      .naive =
          [s] {
            for (int i = 0; i < loop; ++i) {
              s->body.iterate(i);
              s->pageable[static_cast<std::size_t>(i)] = s->part.cpu();
            }
          },
      .optimized =
          [s, &stream] {
            for (int i = 0; i < loop; ++i) {
              s->body.iterate(i);
              s->pinned[static_cast<std::size_t>(i)].copy_(s->part, /*non_blocking=*/true);
            }
            stream.synchronize();
          },
      .clear =
          [s] {
            for (auto& result : s->pageable) result = at::full({1}, -1.0, at::kFloat);
            for (auto& result : s->pinned) result.fill_(-1);
          },
      .answer = [s](Form form) -> Answer {
        return numbers_of(at::cat(form == Form::naive ? s->pageable : s->pinned));
      },
  };
}

extern constexpr Step step = checked({
    .id = "sync/cpu_in_loop",
    .claim = "Calling .cpu() in each iteration stalls the device; queued copies into pinned memory do not.",
    .claim_ids = "sync-cpu-in-loop",
    .sides = {".cpu() in the loop", "queued copies"},
    .source = tuning_guide("Avoid unnecessary CPU-GPU synchronization"),
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure"},
});

}  // namespace microbench::sync_cpu_in_loop
