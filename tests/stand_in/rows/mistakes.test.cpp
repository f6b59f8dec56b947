// The lessons on missing waits, with a seed by which the stream that nobody waits for comes last: what goes
// wrong by luck on a device goes wrong here unless other work keeps the host away for longer than the stream
// is held back. In a process of its own (programs/CMakeLists.txt).
#include "harness/core/same_answer.hpp"
#include "harness/cuda/check.hpp"
#include "harness/libtorch/torch_runtime.hpp"

#include "microbench/microbench_steps.hpp"

#include <ATen/Parallel.h>
#include <catch2/catch_message.hpp>
#include <catch2/catch_test_macros.hpp>

#include "sizes.hpp"
#include <algorithm>
#include <string_view>

namespace {

using namespace harness;

constexpr Device cuda{Device::Kind::cuda, 0};

/// How often the naive form was wrong; the optimized form may not be wrong even once.
WrongAnswers wrong_at(const Step& step, const Point& point, Setup& setup) {
  const auto trial = step.prepare(setup, point);
  const auto drain = [] { check(cudaDeviceSynchronize()); };
  drain();
  WrongAnswers wrong;
  count_wrong(trial, tolerance_on(step, cuda), drain, wrong);
  return wrong;
}

/// A copy into pageable memory has ended when its call returns, here as on most devices.
bool waits_by_itself(const Point& point) {
  return std::ranges::any_of(point.at, [](const Coordinate& at) { return at.text == "pageable"; });
}

void check_mostly_wrong(std::string_view id) {
  TorchRuntime torch(at::get_num_threads());
  Setup setup;
  setup.device = cuda;
  setup.stream = torch.stream_for(cuda);
  const auto* const step = *std::ranges::find(microbench::steps(), id, &Step::id);
  for (const auto& whole : points(*step, cuda)) {
    const auto point = rows::capped(*step, whole);
    INFO(row_name(*step, point, cuda));
    const auto wrong = wrong_at(*step, point, setup);
    CHECK(wrong.tries == 10);
    if (waits_by_itself(point))
      CHECK(wrong.naive == 0);
    else
      CHECK(wrong.naive > wrong.tries / 2);
  }
}

TEST_CASE("a copy to the host that is not waited for is mostly read wrong", "[.][mistakes]") {
  check_mostly_wrong("sync/d2h_garbage");
}

TEST_CASE("a pinned buffer that is filled too early mostly spoils its copy", "[.][mistakes]") {
  check_mostly_wrong("sync/h2d_source_reuse");
}

TEST_CASE("a stream that does not wait, or whose tensor was dropped, mostly reads wrong", "[.][mistakes]") {
  check_mostly_wrong("overlap/missing_wait");
}

}  // namespace
