// Wait for a queued copy to the host before you read it.
//
// Question: A copy to the host is queued and read at once. In how many of 20 tries are the values wrong,
// pinned and pageable?
//
// With non_blocking, `copy_` from the device into pinned memory returns as soon as the copy is queued. On
// the device nothing can go wrong, since everything after it in the stream waits. But the host is not in the
// stream: it reads memory that the copy has not reached yet, and finds what lay there before, or the front
// of the new values and the rear of the old. There is no error and no warning. Wait for the stream, or for
// an event after the copy, before the first read. (Toward the device this danger does not exist: kernels
// that use the values are queued after the copy.)
//
// When it does not show: small copies mostly arrive in time, and memory that is used again mostly holds the
// right values from the time before, so the mistake shows late. Here a kernel of half a millisecond stands
// before the copy, and the memory is overwritten before each run. Into ordinary memory (`memory:pageable`)
// the call itself waits for the copy, though CUDA promises only that it may, and both sides are right.
// (`.to()` with non_blocking takes pinned memory for its result by itself.)
//
// A row says how often either side was wrong, and what both take: the kernel, the copy, and the reading.
//
// Answer: In pinned memory in nearly all of 20 here, because a kernel of half a millisecond stands before the
// copy; in pageable memory in none, because the call itself waits. A change to pinned memory brings the
// mistake to light.

#include "microbench/overlap/delay.hpp"
#include "microbench/tip.hpp"

namespace microbench::sync_d2h_garbage {

constexpr Axis axes[] = {
    {.name = "memory", .about = "of the host, where the copy goes", .labels = {"pinned", "pageable"}},
    {.name = "bytes", .about = "of the copy", .values = {4 << 10, 1 << 20, 16 << 20}, .unit = Unit::bytes}};
constexpr float right = 1, old = 2;

struct State {
  State(Setup& setup, std::int64_t count, bool pinned) : slow(setup, 0.5e-3) {
    const auto options = at::TensorOptions().dtype(at::kFloat);
    device = at::full({count}, right, options.device(torch_device(setup.device)));
    host = at::empty({count}, options.pinned_memory(pinned));
    seen.resize(static_cast<std::size_t>(count));
  }
  void queue_copy(const Stream& stream) const {
    host.fill_(old);  // what the run before left there would be right
    slow.queue(stream);
    host.copy_(device, /*non_blocking=*/true);
  }
  void read() { std::copy_n(host.const_data_ptr<float>(), seen.size(), seen.begin()); }
  Delay slow;
  at::Tensor device, host;
  std::vector<float> seen;
};

Trial prepare(Setup& setup, const Point& point) {
  const auto count = point["bytes"] / static_cast<std::int64_t>(sizeof(float));
  const auto& stream = *setup.stream;
  require_device_memory(static_cast<std::size_t>(point["bytes"]));
  const auto s = std::make_shared<State>(setup, count, point["memory"] == 0);

  return {
      .naive =
          [s, &stream] {
            s->queue_copy(stream);
            s->read();
          },
      .optimized =
          [s, &stream] {
            s->queue_copy(stream);
            stream.synchronize();
            s->read();
          },
      .clear = [s] { std::ranges::fill(s->seen, -1.0F); },
      .answer = [s](Form) -> Answer { return s->seen; },
      .truth = [count]() -> Answer { return std::vector<float>(static_cast<std::size_t>(count), right); },
  };
}

extern constexpr Step step = checked({
    .id = "sync/d2h_garbage",
    .claim = "Without a wait, the host reads wrong values from the target of a non_blocking copy.",
    .claim_ids = "sync-d2h-garbage",
    .sides = {"no wait", "wait"},
    .source = pinning_tutorial("Other copy directions (GPU -> CPU, CPU -> MPS)"),
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends,
                    .published = "wrong at the first of 100 runs, with a wait at none (800 MB of FP64)"},
    .naive_may_be_wrong = true,
});

}  // namespace microbench::sync_d2h_garbage
