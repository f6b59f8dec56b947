#include "microbench/selftest/pairs.hpp"

namespace microbench::selftest_copy {
extern const EqualPair pair;
}
namespace microbench::selftest_gather {
extern const EqualPair pair;
}
namespace microbench::selftest_chase {
extern const EqualPair pair;
}
namespace microbench::selftest_allocate {
extern const EqualPair pair;
}
namespace microbench::selftest_containers {
extern const EqualPair pair;
}
namespace microbench::selftest_text {
extern const EqualPair pair;
}
namespace microbench::selftest_handover {
extern const EqualPair pair;
}
namespace microbench::selftest_files {
extern const EqualPair pair;
}
namespace microbench::selftest_products {
extern const EqualPair pair;
}
namespace microbench::selftest_tensors {
extern const EqualPair pair;
}
namespace microbench::selftest_device {
extern const EqualPair pair;
}

namespace microbench {
namespace {

constexpr double delta = 0.02;
constexpr double row_seconds = 3.5;  // 15 passes of eight slots

harness::Step step_of(const EqualPair& pair) {
  return {.id = pair.id,
          .claim = "Two equal forms take equal time.",
          .source = {},
          .runs = pair.runs,
          .axes = pair.axes,
          .prepare = pair.prepare,
          .expectation = {.outcome = harness::Outcome::no_effect, .published = "no figure"},
          .delta = delta,
          .row_seconds = row_seconds,
          .suite = harness::Suite::quick};
}

}  // namespace

harness::Steps selftest_pairs() {
  static const std::array steps = {
      step_of(selftest_copy::pair),     step_of(selftest_gather::pair),     step_of(selftest_chase::pair),
      step_of(selftest_allocate::pair), step_of(selftest_containers::pair), step_of(selftest_text::pair),
      step_of(selftest_handover::pair), step_of(selftest_files::pair),      step_of(selftest_products::pair),
      step_of(selftest_tensors::pair),  step_of(selftest_device::pair)};
  static const auto all = [] {
    std::array<const harness::Step*, steps.size()> pointers{};
    for (std::size_t i = 0; i < steps.size(); ++i) pointers[i] = &steps[i];
    return pointers;
  }();
  return all;
}

}  // namespace microbench
