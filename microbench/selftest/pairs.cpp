#include "microbench/selftest/pairs.hpp"

#include <array>

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
          .row_seconds = row_seconds};
}

}  // namespace

harness::Steps selftest_pairs() {
  static const std::array steps = {
      step_of(selftest_copy),     step_of(selftest_gather),     step_of(selftest_chase),
      step_of(selftest_allocate), step_of(selftest_containers), step_of(selftest_text),
      step_of(selftest_handover), step_of(selftest_files),      step_of(selftest_products),
      step_of(selftest_tensors),  step_of(selftest_device)};
  static const auto all = [] {
    std::array<const harness::Step*, steps.size()> pointers{};
    for (std::size_t i = 0; i < steps.size(); ++i) pointers[i] = &steps[i];
    return pointers;
  }();
  return all;
}

}  // namespace microbench
