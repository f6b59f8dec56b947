// Wait once for a group of short kernels, not after each of them.
//
// Question: The host waits after each of twenty kernels of 3 us. How much longer do they take, and what if
// each takes a millisecond?
//
// Queued one after the other, short kernels follow each other within a microsecond or two, and the host is
// always some launches ahead. A wait after each takes that away: the device's queue is empty, the device
// tells the host, the host wakes up and launches, and the launch travels to the device; only then does the
// next kernel begin. These few microseconds are the same for every kernel: most of the time of a kernel of 3
// us, next to nothing beside a millisecond.
//
// When it does not matter: where kernels are long (`us`), or where the host needs each result before it can
// decide what to launch next. How the host waits matters too: spinning answers sooner than sleeping until
// an interrupt; this process waits as CUDA does by default.
//
// A row measures twenty kernels of about the given length, with the host's clock. Each works on what the one
// before has left, so that the answer shows whether all of them ran.
//
// Answer: Two to three times as long: the source reports 9.6 us a kernel instead of 3.8 (V100). On the H200
// here (commit 7400cad) twenty took 285 us instead of 114. Beside a millisecond the same few microseconds
// cannot be seen.

#include "harness/cuda/pageable_pinned_device_buffers.hpp"

#include "microbench/overlap/delay.hpp"
#include "microbench/tip.hpp"
#include "microbench/transfer/copies.hpp"

namespace microbench::sync_per_kernel {

constexpr Axis axes[] = {{.name = "us",
                          .about = "about how many microseconds one kernel takes",
                          .values = {3, 10, 100, 1000},
                          .quick = {3}}};
constexpr int kernels = 20;
constexpr std::size_t n = 1 << 14;

struct State {
  float* floats() const { return reinterpret_cast<float*>(values.data()); }
  void launch(const Stream& stream) const {
    next_launch_takes(seconds);
    check(queue_work(floats(), n, rounds, stream.get()));
  }
  double seconds = 0;
  DeviceBuffer values{n * sizeof(float)};
  int rounds = 1;
};

Trial prepare(Setup& setup, const Point& point) {
  const auto seconds = 1e-6 * static_cast<double>(point["us"]);
  const auto& stream = *setup.stream;
  const auto s = std::make_shared<State>();
  s->seconds = seconds;
  check(cudaMemsetAsync(s->values.data(), 0, s->values.size(), stream.get()));
  s->rounds = setup.calibrated("sync/per_kernel/" + std::to_string(point["us"]),
                               [&] { return work_rounds(seconds, s->floats(), n, stream); });

  return {
      .naive =
          [s, &stream] {
            for (int i = 0; i < kernels; ++i) {
              s->launch(stream);
              stream.synchronize();
            }
          },
      .optimized =
          [s, &stream] {
            for (int i = 0; i < kernels; ++i) s->launch(stream);
            stream.synchronize();
          },
      .clear =
          [s, &stream] {
            check(cudaMemsetAsync(s->values.data(), 0, s->values.size(), stream.get()));
            stream.synchronize();
          },
      .answer = [s, &stream](Form) -> Answer { return read_back(s->values, stream); },
  };
}

extern constexpr Step step = checked({
    .id = "sync/per_kernel",
    .claim = "Waiting after each short kernel costs far more than waiting once for a group of them.",
    .claim_ids = "sync-per-kernel",
    .sides = {"a wait each", "one wait"},
    .source = graphs_post("the example of 20 short kernels, before any graph"),
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "9.6 -> 3.8 us a kernel (V100, CUDA 10.1, kernels of 2.9 us)",
                    .about = "us:3"},
    .suite = Suite::quick,
});

}  // namespace microbench::sync_per_kernel
