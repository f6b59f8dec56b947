// Compare in pairs, and let each side go first as often as the other.
//
// Question: One sum is timed twice, as form A and as form B. Which is faster, and by how much?
//
// Whoever goes first pays: for data that no cache holds yet, for code that is not loaded, for a clock that
// has to rise. Whoever goes second finds it done. And a machine drifts: first all runs of one form and then
// all of the other compares two minutes. With A B B A, or a coin for who begins, both pay alike and the price
// cancels in the ratio. Published samples often time the slow form first and once.
//
// When it does not matter: with both warmed up, data in place, and a machine that nothing disturbs, the order
// shows nothing. Whether that is so is seen by timing a form against itself, as this row does.
//
// A row times one form as if it were two: the sum over 4 MiB (CPU), or over half of what a device's
// second-level cache holds, when other data have just filled the caches. The wrong timer gives the first
// one's time as a multiple of the second's, three times; the right one does it in both orders and takes the
// geometric mean. 1.00 x is the truth. The verdict compares the timers: `too much` says that the wrong one
// reads more.
//
// Answer: Neither, in truth: 1.00. In this order the first seems slower, because it fills the cache for the
// second; by how much depends on memory against cache.

#include "harness/cuda/device.hpp"

#include "microbench/tip.hpp"
#include "microbench/traps/timers.hpp"

namespace microbench::traps_first_then_second {

constexpr std::int64_t mib = std::int64_t{1} << 20;
constexpr std::int64_t other_data = 128 * mib;  // more than the caches of most machines hold

/// The bytes that a cache of the device or of the host can hold from one sum to the next.
std::int64_t cached_bytes(const Device& device) {
  if (!device.is_cuda()) return 4 * mib;
  const auto cache = device_attribute(cudaDevAttrL2CacheSize, device.index);
  if (cache <= 0) throw Skip("the device does not say how large its second-level cache is");
  return cache / 2;
}

struct State {
  explicit State(const Device& on) : device(on) {
    const auto options = at::TensorOptions().device(torch_device(on)).dtype(at::kFloat);
    const auto bytes = cached_bytes(on);
    values = at::full({bytes / 4}, 0.5F, options);
    elsewhere = at::zeros({std::max(other_data, 8 * bytes) / 4}, options);
    sum = at::zeros({}, options);
    add_up();  // untimed: another trap
    finish(device);
  }
  void add_up() { at::sum_out(sum, values, at::IntArrayRef{}); }
  double seconds() {
    return host_seconds([&] { add_up(), finish(device); });
  }
  /// The first one's time as a multiple of the second's, from caches that hold other data.
  double first_beside_second() {
    elsewhere.add_(1);
    finish(device);
    const double first = seconds();
    return first / seconds();
  }
  /// A goes first, then B does: what going first costs cancels.
  double in_both_orders() {
    const double a_first = first_beside_second();
    return std::sqrt(a_first / first_beside_second());
  }
  Device device;
  at::Tensor values, elsewhere, sum;
};

Trial prepare(Setup& setup, const Point&) {
  const auto s = std::make_shared<State>(setup.device);
  return timer_trial(
      {[s] { return typical([&] { return s->first_beside_second(); }, 3); },
       [s] { return typical([&] { return s->in_both_orders(); }, 3); }, "x"},
      [s] { s->sum.fill_(-1); }, [s](Form) -> Answer { return numbers_of(s->sum); });
}

extern constexpr Step step = checked({
    .id = "traps/first_then_second",
    .claim = "Of two equal forms the one that is timed first looks slower, unless they take turns.",
    .sides = timer_sides,
    .source = {.title = "NVIDIA, How to Overlap Data Transfers in CUDA C/C++",
               .url = "https://developer.nvidia.com/blog/how-overlap-data-transfers-cuda-cc/",
               .where = "its code: each variant is timed once, the plain one first"},
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = timers_differ, .on_cpu = Outcome::helps},
    .row_seconds = 6,
});

}  // namespace microbench::traps_first_then_second
