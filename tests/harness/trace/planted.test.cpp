// Eight made-up runs whose regime is known, because it was planted: two of each, one of each pair mixed.
#include "tests/harness/trace/story.hpp"

#include "harness/trace/diagnosis.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

namespace {

using namespace harness;
using namespace harness::trace;
using tests::Story;

/// Milliseconds per step that go to each.
struct Planted {
  const char* what;
  Regime regime;
  double loading, launching, syncing, moving, computing;
};

/// Each step loads, works, waits for the device, and then dawdles; nothing overlaps, so shares are as
/// planted.
Diagnosis diagnosed(const Planted& planted) {
  Story story;
  for (int i = 0; i < 6; ++i)
    story.step([&] {
      if (planted.loading > 0) story.load(planted.loading * 1e3);
      const double pieces = 10;
      for (int piece = 0; piece < 10; ++piece) {
        if (planted.computing > 0) story.kernels(tests::gemm, 1, planted.computing * 1e3 / pieces);
        if (planted.moving > 0) story.kernels(tests::pointwise, 1, planted.moving * 1e3 / pieces);
        if (planted.syncing > 0) {
          story.synchronize("aten::item");
          story.pause(planted.syncing * 1e3 / pieces);
        }
        if (planted.launching > 0) {
          story.host = std::max(story.host, story.device);
          story.pause(planted.launching * 1e3 / pieces);
        }
      }
      story.host = std::max(story.host, story.device);
    });
  return diagnose(story.trace());
}

TEST_CASE("a planted regime gets the right verdict, pure and mixed", "[trace][regime]") {
  const auto planted =
      GENERATE(Planted{"input", Regime::input, 90, 2, 0, 2, 6},
               Planted{"input, with compute and launches", Regime::input, 55, 15, 0, 5, 25},
               Planted{"synchronizations", Regime::overhead, 0, 0, 85, 10, 5},
               Planted{"launches, with memory and input", Regime::overhead, 15, 52, 0, 28, 5},
               Planted{"memory", Regime::memory, 0, 3, 0, 95, 2},
               Planted{"memory, with compute and input", Regime::memory, 12, 5, 0, 53, 30},
               Planted{"compute", Regime::compute, 1, 1, 0, 3, 95},
               Planted{"compute, with memory and launches", Regime::compute, 5, 12, 0, 31, 52});
  INFO(planted.what);
  const auto diagnosis = diagnosed(planted);
  CAPTURE(diagnosis.verdict.evidence);
  CHECK(diagnosis.verdict.regime == planted.regime);
  for (const auto& step : diagnosis.steps) CHECK(step.judgement.regime == planted.regime);
}

TEST_CASE("without a majority a starved device is bound by its host", "[trace][regime]") {
  const auto input = diagnosed({"", Regime::input, 36, 4, 0, 15, 45});
  CHECK(input.verdict.regime == Regime::input);
  const auto fed = diagnosed({"", Regime::compute, 20, 5, 0, 30, 45});
  CHECK(fed.verdict.regime == Regime::compute);
}

TEST_CASE("a mixed verdict names the other regime with its share", "[trace][regime]") {
  const auto mixed = diagnosed({"", Regime::compute, 5, 8, 0, 31, 56});
  CHECK(mixed.verdict.evidence.find("mixed: memory-bound for 31 %") != std::string::npos);
}

TEST_CASE("planted synchronizations are found with the operator that asked", "[trace][findings]") {
  const auto diagnosis = diagnosed({"", Regime::overhead, 0, 0, 45, 40, 15});
  REQUIRE_FALSE(diagnosis.findings.empty());
  CHECK(diagnosis.findings.front().id == "item_sync");
  CHECK(diagnosis.findings.front().message.find("aten::item") != std::string::npos);
}

}  // namespace
