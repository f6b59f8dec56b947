// A clock that runs only when a test says so, and a diary of everything that happened.
#pragma once

#include "harness/core/slot.hpp"
#include "harness/core/step.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace harness::example {

using Diary = std::vector<std::string>;

class FakeClock {
 public:
  explicit FakeClock(Diary* diary = nullptr) : diary_(diary) {}

  void prepare(std::size_t marks) { note("prepare " + std::to_string(marks)); }
  void drain() { note("drain"); }
  void mark() {
    note("mark");
    marks_.push_back(now_);
  }
  std::vector<double> collect() {
    note("collect");
    std::vector<double> seconds;
    for (std::size_t i = 1; i < marks_.size(); ++i) seconds.push_back(marks_[i] - marks_[i - 1]);
    marks_.clear();
    return seconds;
  }
  double resolution() const { return resolution_; }

  void pass(double seconds) { now_ += seconds; }
  void set_resolution(double seconds) { resolution_ = seconds; }

 private:
  void note(std::string what) {
    if (diary_ != nullptr) diary_->push_back(std::move(what));
  }
  Diary* diary_;
  double now_ = 0;
  double resolution_ = 1e-9;
  std::vector<double> marks_;
};
static_assert(Clock<FakeClock>);

}  // namespace harness::example
