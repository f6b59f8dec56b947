// The timed sequence, written once over any clock, so that a test can watch its order; and the host's clocks.
// With a device at work, every mark of the wall clock first waits for it.
#pragma once

#include "harness/core/median.hpp"

#include <chrono>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <ctime>
#include <functional>
#include <numeric>
#include <utility>

namespace harness::inline core {

/// Seconds of the host's clock until `call` has returned, once.
template <class Call>
double host_seconds(Call&& call) {
  const auto begin = std::chrono::steady_clock::now();
  call();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// CPU seconds that all threads of this process have used so far.
inline double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Marks by std::chrono::steady_clock. `wait` blocks until the device has finished; empty on the host.
class WallClock {
 public:
  explicit WallClock(std::function<void()> wait = {}) : wait_(std::move(wait)) {}

  void prepare(std::size_t marks) { marks_.reserve(marks); }
  void drain() const {
    if (wait_) wait_();
  }
  void mark() {
    drain();
    marks_.push_back(std::chrono::steady_clock::now());
  }
  std::vector<double> collect() {
    std::vector<double> seconds;
    for (std::size_t i = 1; i < marks_.size(); ++i)
      seconds.push_back(std::chrono::duration<double>(marks_[i] - marks_[i - 1]).count());
    marks_.clear();
    return seconds;
  }
  /// A call of the clock costs about 25 ns; two of them bound what it resolves.
  double resolution() const { return 50e-9; }

 private:
  std::function<void()> wait_;
  std::vector<std::chrono::steady_clock::time_point> marks_;
};

/// A clock that sets marks without disturbing what runs between them.
/// prepare: makes what so many marks need, so that none is made between them. drain: waits until all earlier
/// work has finished. mark: notes "now". collect: the seconds between successive marks since the last
/// collect. resolution: seconds below which two marks may be equal.
template <class C>
concept Clock = requires(C clock, std::size_t marks) {
  clock.prepare(marks);
  clock.drain();
  clock.mark();
  { clock.collect() } -> std::same_as<std::vector<double>>;
  { clock.resolution() } -> std::convertible_to<double>;
};

/// A slot must last this long, and one run this many times the clock's resolution before it is timed by
/// itself. So many runs as let the median pass over one that was disturbed belong to a slot, unless they take
/// longer than the last figure.
constexpr double slot_seconds = 0.020;
constexpr std::int64_t median_runs = 3;
constexpr double median_slot_seconds = 0.100;
constexpr double runs_from_resolutions = 500;
/// A slot is not lengthened beyond this to reach a whole multiple of runs.
constexpr double multiple_seconds = 4;
/// So many runs let the 99th percentile pass over the slowest one.
constexpr std::int64_t tail_runs = 200;

/// Seconds of one run: the median over the slot's runs where each is long enough to be timed by itself, else
/// the slot's length divided by their number.
inline double slot_value(const std::vector<double>& runs, double resolution, bool whole_slot) {
  const auto total = std::accumulate(runs.begin(), runs.end(), 0.0);
  const auto mean = total / static_cast<double>(runs.size());
  if (whole_slot || mean < runs_from_resolutions * resolution) return mean;
  return median(runs);
}

/// The 99th percentile of the runs as a multiple of their median: how far the slow ones stick out.
inline double tail_value(std::vector<double> runs) {
  const auto middle = median(runs);
  const auto at = static_cast<std::ptrdiff_t>((runs.size() * 99 + 99) / 100) - 1;  // nearest rank
  std::ranges::nth_element(runs, runs.begin() + at);
  return runs[static_cast<std::size_t>(at)] / middle;
}

/// What a slot does: `before` and `warm_up` are not timed, `run` is timed `iterations` times.
template <class Before, class WarmUp, class Run>
struct SlotBody {
  const Before& before;
  const WarmUp& warm_up;
  const Run& run;
  std::int64_t iterations = 1;
  bool whole_slot = false;
  std::function<std::int64_t()> faults = {};  // page faults of this process so far; empty: not watched
};
template <class Before, class WarmUp, class Run>
SlotBody(const Before&, const WarmUp&, const Run&, std::int64_t, bool) -> SlotBody<Before, WarmUp, Run>;

/// The seconds of each timed run (one entry, already divided, where only the whole slot may be timed), the
/// CPU seconds of one run, and the page faults of all timed runs; of all threads together.
struct SlotTimes {
  std::vector<double> runs;
  double cpu = 0;
  std::int64_t faults = -1;  // -1: not watched
};

template <Clock C, class Before, class WarmUp, class Run>
SlotTimes time_slot(C& clock, const SlotBody<Before, WarmUp, Run>& body) {
  body.before();
  body.warm_up();
  clock.prepare(body.whole_slot ? 2 : static_cast<std::size_t>(body.iterations) + 1);
  clock.drain();
  const auto faults_before = body.faults ? body.faults() : 0;
  const auto cpu_before = cpu_seconds();
  clock.mark();
  for (std::int64_t i = 0; i < body.iterations; ++i) {
    body.run();
    if (!body.whole_slot || i + 1 == body.iterations) clock.mark();
  }
  const auto cpu = cpu_seconds() - cpu_before;
  const auto faults = body.faults ? body.faults() - faults_before : -1;
  auto runs = clock.collect();
  const auto iterations = static_cast<double>(body.iterations);
  if (body.whole_slot) runs = {runs.at(0) / iterations};
  return {std::move(runs), cpu / iterations, faults};
}

/// `iterations` as the next multiple, or as they are where so many would take too long.
inline std::int64_t whole_multiple(std::int64_t iterations, double seconds_of_a_run, std::int64_t multiple) {
  const auto rounded = (iterations + multiple - 1) / multiple * multiple;
  return static_cast<double>(rounded) * seconds_of_a_run <= multiple_seconds ? rounded : iterations;
}

/// How many runs make a slot: `slot_seconds` at least, found by lengthening trial slots, as a `multiple`.
/// `seconds_of(iterations)` runs one slot and gives its whole length.
template <class SecondsOf>
std::int64_t calibrate(const SecondsOf& seconds_of, std::int64_t multiple = 1) {
  constexpr std::int64_t most = 1'000'000;
  std::int64_t iterations = 1;
  for (;;) {
    const double seconds = seconds_of(iterations);
    if (seconds >= slot_seconds || iterations >= most) {
      const auto run = seconds / static_cast<double>(iterations);
      if (run * median_runs <= median_slot_seconds) iterations = std::max(iterations, median_runs);
      return whole_multiple(iterations, run, multiple);
    }
    const double wanted = static_cast<double>(iterations) * 1.2 * slot_seconds / std::max(seconds, 1e-9);
    iterations = std::clamp(static_cast<std::int64_t>(std::ceil(wanted)), iterations + 1, iterations * 10);
    iterations = std::min(iterations, most);
  }
}

}  // namespace harness::inline core
