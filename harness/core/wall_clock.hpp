// The host's clocks. With a device at work, every mark of the wall clock first waits for it.
#pragma once

#include <chrono>
#include <cstddef>
#include <ctime>
#include <functional>
#include <vector>

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

}  // namespace harness::inline core
