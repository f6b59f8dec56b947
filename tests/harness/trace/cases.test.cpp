// Small traces of kinds that were judged wrongly once, with the right answers; they lie beside the project.
#include "tests/harness/trace/one_step.hpp"

#include "harness/trace/diagnosis_text.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>
#include <vector>

namespace {

using namespace harness;
using namespace harness::trace;
using tests::found;

Diagnosis case_of(const std::string& name) {
  const auto file =
      tests::directory("TUNEPROOF_CASES_DIR", TUNEPROOF_SOURCE_DIR "/../shared/cases/traces") / name;
  if (!std::filesystem::exists(file)) SKIP(file.string() << " is missing");
  return diagnose(read_trace(file));
}

bool says(const Diagnosis& diagnosis, std::string_view words) {
  return diagnosis.verdict.regime == Regime::unknown &&
         diagnosis.verdict.evidence.find(words) != std::string::npos;
}

TEST_CASE("case: a range covers all operators of a CPU inference", "[trace][cases]") {
  const auto diagnosis = case_of("01_cpu_range_covers_all_operators.json");
  CHECK(diagnosis.verdict.regime == Regime::compute);
  CHECK(diagnosis.shares.share(Use::arithmetic) > 0.96);
}

TEST_CASE("case: all kernels were launched before the first began", "[trace][cases]") {
  const auto diagnosis = case_of("02_no_steps_launched_before_first_kernel.json");
  CHECK(diagnosis.kernels.count == 3);
  CHECK(diagnosis.kernels.us == 3000);
  CHECK(found(diagnosis, "fp32_products") != nullptr);
}

TEST_CASE("case: the host works before a copy", "[trace][cases]") {
  const auto diagnosis = case_of("03_host_works_before_a_copy.json");
  CHECK(diagnosis.verdict.regime == Regime::input);
  CHECK(found(diagnosis, "pageable_copies_in") == nullptr);
  CHECK(std::abs(found(diagnosis, "input_preparation")->saves_us - 280'000) < 100);
}

TEST_CASE("case: launched, and begun much later", "[trace][cases]") {
  const auto diagnosis = case_of("04_queued_but_not_begun.json");
  CHECK(diagnosis.verdict.regime == Regime::unknown);
  CHECK(diagnosis.shares[Use::wait_launch] < 500);
  CHECK(found(diagnosis, "launch_gaps") == nullptr);
  CHECK(found(diagnosis, "low_utilization") == nullptr);
}

TEST_CASE("case: the straggler is the rank that waits least", "[trace][cases]") {
  std::vector<Diagnosis> ranks;
  for (const auto* name : {"rank0", "rank1", "rank2"})
    ranks.push_back(case_of(std::string("05_straggler/") + name + ".json"));
  const auto summary = rank_summary(ranks);
  CHECK(summary.ranks[1].straggler);
  CHECK(std::ranges::count_if(summary.ranks, &RankTime::straggler) == 1);
}

TEST_CASE("case: most kernels are lost", "[trace][cases]") {
  CHECK(says(case_of("07_kernels_lost_in_most_steps.json"), "launches have no kernel in the trace"));
}

TEST_CASE("case: a pipeline's forward pass beside another's backward pass", "[trace][cases]") {
  CHECK(found(case_of("11_pipeline_forward_beside_other_backward.json"), "unused_graph") == nullptr);
}

TEST_CASE("case: the first launches load code", "[trace][cases]") {
  const auto diagnosis = case_of("12_first_launch_loads_code.json");
  CHECK(says(diagnosis, "first use of kernels"));
  CHECK(found(diagnosis, "first_use") != nullptr);
  CHECK(found(diagnosis, "launch_gaps") == nullptr);
}

TEST_CASE("case: a kernel overruns its successors", "[trace][cases]") {
  CHECK(says(case_of("14_kernel_overruns_its_successors.json"), "overlap by 59.6 ms"));
}

TEST_CASE("case: a kernel at time 0", "[trace][cases]") {
  const auto diagnosis = case_of("16_kernel_at_time_0.json");
  CHECK(diagnosis.verdict.regime == Regime::compute);
  CHECK(diagnosis.device.at(0).span_us < 10'000);
  CHECK(found(diagnosis, "impossible_times") != nullptr);
}

TEST_CASE("case: kernels before their launches", "[trace][cases]") {
  const auto diagnosis = case_of("17_kernels_before_their_launches.json");
  CHECK(says(diagnosis, "the clocks of host and device differ"));
  CHECK(found(diagnosis, "launch_blocking") == nullptr);
}

TEST_CASE("the naive step of STGym copies in its model, and is not sent to its data loader",
          "[trace][golden]") {
  const auto diagnosis = diagnose(read_trace(tests::golden_directory() / "h200/naive_step.trace.json.gz"));
  CHECK(diagnosis.verdict.regime == Regime::overhead);
  CHECK(diagnosis.verdict.would_change.find("loading") == std::string::npos);
  CHECK(found(diagnosis, "model_copies") != nullptr);
  // Measured, leaving .item() out is undecided: -0.3 % [-11.2, +12.7] (results/h200, stgym/no_item).
  CHECK(found(diagnosis, "item_sync") == nullptr);
  CHECK(found(diagnosis, "pageable_copies_in") == nullptr);
}

}  // namespace
