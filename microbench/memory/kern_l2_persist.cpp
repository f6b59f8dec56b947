// Set part of the L2 cache aside for data that is read again and again.
//
// Question: A kernel streams through 128 MiB and looks things up in a small table. What does it gain if the
// table may not be pushed out of the cache, and what if the table is twice as large as the part set aside?
//
// The L2 cache keeps what was touched last. Data that is read once pushes out what is read often, and each
// lookup then goes to memory. From compute capability 8.0 on, part of the cache can be set aside
// (`cudaLimitPersistingL2CacheSize`), and an access policy window on a stream says which addresses may stay
// there. Everything else shares the rest of the cache.
//
// When it hurts: if the window is larger than the part set aside, its lines push each other out, and the
// stream has less cache than before (`hot:twice`). A hit ratio below 1 keeps a random part of the window in
// its place, which softens that; this row sets 1. When it does not matter: if the table is so small that it
// stays in the cache by itself, or if nothing streams past it. MIG and virtual GPUs may refuse to set
// anything aside.
//
// A row measures four kernels over the stream. Before each slot the window is set or taken away, and what
// persists is reset to normal.
//
// Answer: If the table fits into the part set aside, its lookups stay hits: the source reports up to +50 %
// (A100). If it is twice as large, its lines push each other out and the rest of the cache is smaller: about
// 10 % are lost there. An H200 said the opposite of a table of half the part: 68 % longer (493 -> 829 us,
// commit c3d44b4).

#include "harness/cuda/device.hpp"

#include "microbench/memory/device_floats.hpp"
#include "microbench/memory/memory_kernels.hpp"
#include "microbench/tip.hpp"

namespace microbench::memory_kern_l2_persist {

constexpr Axis axes[] = {{.name = "hot",
                          .about = "the table, beside the part of the cache that is set aside",
                          .labels = {"half", "twice"}}};
constexpr std::size_t stream_values = 32 << 20;
constexpr int passes = 4;

struct State {
  State(const Setup& setup, std::size_t aside_bytes, std::size_t hot_values)
      : aside(aside_bytes), hot(hot_values), values(stream_values), stream(*setup.stream) {
    hot.upload(random_floats(hot_values, setup.seed), stream);
    start_again();
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  /// The stream is the harness's: the next row finds it without a window.
  ~State() {
    const cudaStreamAttrValue none{};
    report(cudaStreamSetAttribute(stream.get(), cudaStreamAttributeAccessPolicyWindow, &none));
    report(cudaCtxResetPersistingL2Cache());
    report(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0));
  }

  void start_again() const {
    check(cudaMemsetAsync(values.data(), 0, values.size() * sizeof(float), stream.get()));
  }
  /// The window over the table, or none.
  void set_window(bool persist) const {
    const auto bytes = persist ? std::min(hot.size() * sizeof(float), most_window) : 0;
    cudaStreamAttrValue value{};
    value.accessPolicyWindow = {.base_ptr = hot.data(),
                                .num_bytes = bytes,
                                .hitRatio = 1,
                                .hitProp = persist ? cudaAccessPropertyPersisting : cudaAccessPropertyNormal,
                                .missProp = persist ? cudaAccessPropertyStreaming : cudaAccessPropertyNormal};
    check(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, persist ? aside : 0));
    check(cudaStreamSetAttribute(stream.get(), cudaStreamAttributeAccessPolicyWindow, &value));
    check(cudaCtxResetPersistingL2Cache());
  }
  void run() const {
    check(queue_hot_sums(values.data(), values.size(), hot.data(), hot.size(), passes, stream.get()));
  }

  std::size_t aside;
  std::size_t most_window = 0;
  DeviceFloats hot, values;
  const Stream& stream;
};

Trial prepare(Setup& setup, const Point& point) {
  const auto aside = device_attribute(cudaDevAttrMaxPersistingL2CacheSize, setup.device.index);
  if (aside <= 0) throw Skip("the device cannot set part of its L2 cache aside");
  const auto bytes = static_cast<std::size_t>(aside);
  const auto hot_bytes = point["hot"] == 0 ? bytes / 2 : bytes * 2;
  require_device_memory(hot_bytes + stream_values * sizeof(float));
  const auto s = std::make_shared<State>(setup, bytes, hot_bytes / sizeof(float));
  s->most_window =
      static_cast<std::size_t>(device_attribute(cudaDevAttrMaxAccessPolicyWindowSize, setup.device.index));
  const auto run = [s] { s->run(); };
  return {
      .naive = run,
      .optimized = run,
      .clear = [s] { s->start_again(); },
      .answer = [s](Form) -> Answer { return s->values.download(s->stream); },
      .before_slot = [s](Form form) { s->set_window(form == Form::optimized); },
      .timer = Timer::event,
      .bytes_moved = passes * 2 * stream_values * sizeof(float),
  };
}

extern constexpr Step step = checked({
    .id = "memory/kern_l2_persist",
    .claim = "A part of the L2 cache set aside for hot data speeds up a kernel that streams past it.",
    .claim_ids = "kern-l2-persist",
    .sides = {"plain L2", "set aside"},
    .source = best_practices("L2 Cache Access Window"),
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "A100: up to +50 % if it fits; about -10 % if it exceeds the part set aside",
                    .about = "hot:half"},
    .delta = 0.02,
    .row_seconds = 6,
});

}  // namespace microbench::memory_kern_l2_persist
