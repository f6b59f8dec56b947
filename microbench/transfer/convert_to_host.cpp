// Convert on the device before a tensor goes to the host, and say so in two steps.
//
// Question: An FP32 tensor on the device is wanted on the host in FP16. Does one `.to()` that moves and
// converts, with non_blocking, take longer than `.to(type)` and then `.to("cpu")`?
//
// A copy moves bytes and cannot convert, so one side has to make a tensor of the other type first. If the
// host does it, all bytes cross the link, into memory that is not pinned or that has to be read again, and
// the call waits for them. If the device does it, half as many bytes cross, into pinned memory, and the host
// need not wait. In PyTorch 1.12 the one call took the first way even with non_blocking (the issue shows its
// trace on a V100). Since then a non_blocking copy converts on the device, as the two steps do; a blocking
// one still converts on the host.
//
// When it does not matter: with non_blocking in today's PyTorch, where both are one thing; for a tensor so
// small that a launch is its price. What it costs: memory of the device for the tensor in between. Either way
// the values may be read only after a wait for the stream (sync/d2h_garbage).
//
// A row moves and converts n values: `call:blocking` is `.to(cpu, half)`, `call:non_blocking` the same with
// non_blocking=True, against two steps with non_blocking. All wait for the stream at their end. The figures
// are what arrived on the host, and how long the calls kept it.
//
// Answer: Blocking, yes: the link carries twice the bytes, and then the host converts them. With
// non_blocking it took longer when the issue was written; since the repair both do the same work.

#include "harness/cuda/stream.hpp"
#include "harness/libtorch/kineto.hpp"

#include "microbench/host_time.hpp"
#include "microbench/tip.hpp"
#include "microbench/values.hpp"

namespace microbench::transfer_convert_to_host {

enum Call : std::int64_t { blocking, non_blocking };
constexpr Axis axes[] = {
    {.name = "n", .about = "values", .values = {1 << 18, 1 << 23}, .quick = {1 << 18}},
    {.name = "call", .about = "the one that moves and converts", .labels = {"blocking", "non_blocking"}}};

struct State {
  at::Tensor source, arrived;
};

/// Counted by the profiler and not assumed.
Figure arrived(const Device& device, const std::function<void()>& naive,
               const std::function<void()>& optimized) {
  const auto kibibytes = [&](const std::function<void()>& form) {
    const auto copies = count(device, form).device_to_host;
    return static_cast<double>(std::accumulate(copies.begin(), copies.end(), std::int64_t{0})) / 1024;
  };
  return {"arrived on the host", "KiB", kibibytes(naive), kibibytes(optimized)};
}

Trial prepare(Setup& setup, const Point& point) {
  const auto n = point["n"];
  const bool queued = point["call"] == non_blocking;
  const auto& stream = *setup.stream;
  require_device_memory(static_cast<std::size_t>(n) * 2 * sizeof(float));
  const auto s = std::make_shared<State>();
  s->source = normal_values(setup, {n});
  const auto naive = [s, queued] { s->arrived = s->source.to(at::kCPU, at::kHalf, queued); };
  const auto optimized = [s] { s->arrived = s->source.to(at::kHalf).to(at::kCPU, /*non_blocking=*/true); };
  return {
      .naive =
          [naive, &stream] {
            naive();
            stream.synchronize();
          },
      .optimized =
          [optimized, &stream] {
            optimized();
            stream.synchronize();
          },
      .clear = [s] { s->arrived = at::full({1}, -7); },
      .answer = [s](Form) { return numbers_of(s->arrived); },
      .figures = [naive, optimized, device = setup.device]() -> std::vector<Figure> {
        return {arrived(device, naive, optimized), host_kept(naive, optimized)};
      },
  };
}

extern constexpr Step step = checked({
    .id = "transfer/convert_to_host",
    .claim = "A tensor that the device converts first is on the host sooner than by one call for both.",
    .sides = {"one call", "converted, then copied"},
    .source = {"PyTorch", "https://github.com/pytorch/pytorch/issues/79933", "issue 79933"},
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .about = "n:8388608/call:blocking"},
});

}  // namespace microbench::transfer_convert_to_host
