// Do in one launch what takes many launches of short kernels.
//
// Question: By what factor is one launch over all values faster than 64 launches over 256 values each, and at
// which size is the difference gone?
//
// A launch is work for the host: the runtime packs the arguments, writes a command where the device will find
// it and notifies the device. That takes microseconds, however little the kernel does, and the device needs a
// moment of its own between one kernel and the next. A kernel over a few hundred values ends sooner than the
// launch of the next one is written, so the device waits for the host most of the time. This is why batched
// operators, larger batches and fused kernels pay.
//
// What a launch costs is up to the machine, and the gain with it: the call took 4.2 us in an H200's virtual
// machine (results/h200, commit 7400cad), 2.1 us on an H100 by a secondary source (docs/claims.md). Where it
// takes half as long, each launch that is left out saves half as much.
//
// When it does not matter: with long kernels. The host then writes the next launch while the device is still
// at work, and the difference in the row goes to zero (`values`). The launches of one run are few enough to
// find room in the device's queue; a host that is a thousand launches ahead has to wait for the device, and
// would then seem to pay for what the device does.
//
// A row measures 64 launches, each over its own part of the data, against one launch over all of it: by
// CUDA's own launch, and by LibTorch's operator, which chooses and checks before it launches. The host's
// share of each launch stands beside the times: the host is free again after it.
//
// Answer: At 256 values nearly the number of launches: the time is calls, and 64 become one. On the H200
// here (commit 7400cad) 304 us became 11.1 us, a factor of 27. It goes to 1 where a kernel takes longer than
// its launch: then the host is ahead, and both sides take the kernels' time.

#include "harness/cuda/stream.hpp"

#include "microbench/host_time.hpp"
#include "microbench/short_kernels.hpp"
#include "microbench/tip.hpp"
#include "microbench/values.hpp"

namespace microbench::launch_cost {

constexpr Axis axes[] = {
    {.name = "values",
     .about = "floats in each short kernel",
     .values = {256, 65536, 1 << 20, 4 << 20},
     .quick = {256}},
    {.name = "through",
     .about = "cuda: a kernel of our own, launched by the runtime; aten: LibTorch's add_",
     .quick = {0},
     .labels = {"cuda", "aten"}}};
constexpr std::int64_t launches = 64;

struct State {
  at::Tensor all;                  // launches x values
  std::vector<at::Tensor> pieces;  // its rows
};

Trial prepare(Setup& setup, const Point& point) {
  const auto n = point["values"];
  const bool aten = point["through"] == 1;
  const auto& stream = *setup.stream;
  require_device_memory(static_cast<std::size_t>(launches * n) * sizeof(float));
  const auto s = std::make_shared<State>();
  s->all = at::zeros({launches, n}, floats_on(setup.device));
  s->pieces = s->all.unbind();

  const auto add_one = [aten, &stream](const at::Tensor& x) {
    if (aten)
      x.add_(1);
    else
      check(queue_increment(x.data_ptr<float>(), static_cast<std::size_t>(x.numel()), stream.get()));
  };
  const auto naive = [s, add_one] {
    for (const auto& piece : s->pieces) add_one(piece);
  };
  const auto optimized = [s, add_one] { add_one(s->all); };
  return {
      .naive = naive,
      .optimized = optimized,
      .clear = [s] { s->all.zero_(); },
      // Sums of ones: exact, and short enough to be compared.
      .answer = [s](Form) { return numbers_of(s->all.sum(1)); },
      .figures = [naive, optimized]() -> std::vector<Figure> {
        return {{"host, for each launch", "us", host_microseconds(naive) / static_cast<double>(launches),
                 host_microseconds(optimized)}};
      },
  };
}

extern constexpr Step step = checked({
    .id = "launch/cost",
    .claim = "Many launches of short kernels take longer than one launch that does the same work.",
    .claim_ids = "launch-cost",
    .sides = {"many launches", "one launch"},
    .source = graphs_post("Overlapping Kernel Launch and Execution"),
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "3.8 us for each launch of a kernel of 2.9 us (V100)",
                    .about = "values:256"},
    .suite = Suite::quick,
});

}  // namespace microbench::launch_cost
