// A training thread of one step, told by what it does, and what diagnose finds in it.
#pragma once

#include "tests/harness/trace/made_up.hpp"

#include "harness/trace/diagnosis.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tests {

/// One thread of one step, told by what it does one after the other; times in microseconds.
class ThreadStory {
 public:
  double now = 0;
  harness::trace::ProgramFacts program;

  void python(double us) { now += us; }
  void op(const std::string& name, double us, const std::string& args = "") {
    events_.push_back({"cpu_op", name, now, us, args});
    now += us;
  }
  /// A forward operator with the number of the next node.
  void forward(const std::string& name, double us, int number) {
    op(name, us, R"("Sequence number": )" + std::to_string(number));
  }
  void within(const std::string& category, const std::string& name, const std::function<void()>& body,
              const std::string& args = "") {
    const auto at = static_cast<std::ptrdiff_t>(events_.size());
    const double begin = now;
    body();
    events_.insert(events_.begin() + at, {category, name, begin, now - begin, args});
  }
  void range(const std::string& name, const std::function<void()>& body) {
    within("user_annotation", name, body);
  }
  void other_thread(const std::string& category, const std::string& name, double ts, double us) {
    events_.push_back({category, name, ts, us, {}, 2});
  }

  /// A step of a hundred milliseconds: what is left of it is one product.
  harness::trace::Diagnosis diagnosis() {
    if (now < length_us) op("aten::mm", length_us - now);
    std::string text = json({"user_annotation", "ProfilerStep#1", 0, now});
    for (const auto& made : events_) text += ",\n" + json(made);
    auto trace = harness::trace::parse_trace("[" + text + "]", "thread.json");
    trace.program = program;
    return harness::trace::diagnose(trace);
  }

 private:
  static constexpr double length_us = 100'000;
  std::vector<Made> events_;
};

inline harness::trace::Diagnosis told(const std::function<void(ThreadStory&)>& body) {
  ThreadStory story;
  body(story);
  return story.diagnosis();
}

inline constexpr auto loader = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__";

inline harness::trace::Diagnosis reading(double us) {
  return told([us](ThreadStory& story) { story.range(loader, [&] { story.python(us); }); });
}
inline harness::trace::Diagnosis transforming(double us) {
  return told([us](ThreadStory& story) { story.range(loader, [&] { story.op("aten::mul", us); }); });
}
inline harness::trace::Diagnosis gap(double us) {
  return told([us](ThreadStory& story) {
    story.op("aten::mm", 1000);
    story.python(us);
  });
}
/// So many operators of 4 us with 1 us of Python behind each.
inline harness::trace::Diagnosis calling(int count) {
  return told([count](ThreadStory& story) {
    for (int i = 0; i < count; ++i) {
      story.op("aten::add", 4);
      story.python(1);
    }
  });
}
inline harness::trace::Diagnosis optimizing(double us) {
  return told([us](ThreadStory& story) {
    story.range("Optimizer.step#SGD.step", [&] { story.op("aten::_foreach_add_", us); });
  });
}

}  // namespace tests
