// Threads that stand ready, so that a row does not pay for starting them.
#pragma once

#include <barrier>
#include <cstddef>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

namespace prices {

/// The caller is one of its threads.
class Team {
 public:
  explicit Team(int size) : begin_(size), end_(size) {
    for (int i = 1; i < size; ++i) others_.emplace_back([this, i] { serve(i); });
  }
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  ~Team() {
    work_ = nullptr;
    begin_.arrive_and_wait();
    for (auto& other : others_) other.join();
  }

  int size() const { return static_cast<int>(others_.size()) + 1; }
  /// Each thread does its part, 0 to size() - 1; returns when all are done. A part must not throw.
  void run(const std::function<void(int)>& work) {
    work_ = &work;
    begin_.arrive_and_wait();
    work(0);
    end_.arrive_and_wait();
  }

 private:
  void serve(int part) {
    for (;;) {
      begin_.arrive_and_wait();
      if (work_ == nullptr) return;
      (*work_)(part);
      end_.arrive_and_wait();
    }
  }

  std::barrier<> begin_, end_;
  const std::function<void(int)>* work_ = nullptr;
  std::vector<std::thread> others_;
};

/// The items [first, last) of `count` that are the part's.
inline std::pair<std::size_t, std::size_t> part_of(std::size_t count, int part, int parts) {
  const auto n = static_cast<std::size_t>(parts);
  const auto i = static_cast<std::size_t>(part);
  return {count * i / n, count * (i + 1) / n};
}

}  // namespace prices
