// A byte handed to another thread and back: by a condition variable, through pipes, through a socket.
#include "microbench/selftest/other_thread.hpp"
#include "microbench/selftest/pairs.hpp"

namespace microbench::selftest_handover {

using namespace harness;

constexpr Axis axes[] = {
    {.name = "by", .about = "how the other thread is woken", .labels = {"condition", "pipe", "socket"}}};
constexpr int rounds = 100;

template <class Other>
Trial calls_of(const std::shared_ptr<Other>& other) {
  const auto sum = std::make_shared<float>(-1.0F);
  return equal_forms(
      [other, sum] {
        int all = 0;
        for (int i = 0; i < rounds; ++i) all += other->call(i);
        *sum = static_cast<float>(all);
      },
      [sum] { *sum = -1; }, [sum] { return std::vector{*sum}; });
}

Trial prepare(Setup&, const Point& point) {
  if (point["by"] == 0) return calls_of(std::make_shared<ByCondition>());
  return calls_of(std::make_shared<ByDescriptor>(point["by"] == 2));
}

extern constexpr EqualPair pair{.id = "selftest/handover", .axes = axes, .prepare = prepare};

}  // namespace microbench::selftest_handover
