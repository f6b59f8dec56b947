// Real traces: what they must be found to be.
#include "tests/harness/trace/story.hpp"

#include "harness/core/setup.hpp"
#include "harness/trace/diagnosis_text.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <sstream>

namespace {

using namespace harness;
using namespace harness::trace;

Diagnosis diagnosed(const std::string& name, const DiagnosisQuestion& question = {}) {
  const auto file = tests::traces_directory() / (name + ".json.gz");
  if (!std::filesystem::exists(file)) SKIP(file.string() << " is missing");
  return diagnose(read_trace(file), question);
}

bool has(const Diagnosis& diagnosis, std::string_view id) {
  return std::ranges::find(diagnosis.findings, id, &Finding::id) != diagnosis.findings.end();
}

TEST_CASE("ResNet-50 without workers waits for its data loader", "[trace][diagnosis]") {
  const auto diagnosis = diagnosed("v100_resnet50_workers0");
  CHECK(diagnosis.verdict.regime == Regime::input);
  CHECK(has(diagnosis, "data_loader_wait"));
  REQUIRE(diagnosis.steps.size() == 6);
  for (const auto& step : diagnosis.steps) {
    CHECK(step.us >= 148e3);
    CHECK(step.us <= 160e3);
    CHECK(step.judgement.regime == Regime::input);
  }
}

TEST_CASE("ResNet-50 with four workers computes, but for its first and last step", "[trace][diagnosis]") {
  const auto diagnosis = diagnosed("v100_resnet50_workers4");
  CHECK(diagnosis.verdict.regime == Regime::compute);
  CHECK_FALSE(has(diagnosis, "data_loader_wait"));
  REQUIRE(diagnosis.steps.size() == 6);
  CHECK(std::abs(diagnosis.steps[0].us - 160e3) < 1e3);
  CHECK(std::abs(diagnosis.steps[5].us - 207e3) < 1e3);
  for (std::size_t i = 1; i < 5; ++i) {
    CHECK(diagnosis.steps[i].us >= 117e3);
    CHECK(diagnosis.steps[i].us <= 128e3);
    CHECK(diagnosis.steps[i].judgement.regime == Regime::compute);
  }
}

TEST_CASE("against says that the wait for input vanished", "[trace][diagnosis]") {
  const auto before = diagnosed("v100_resnet50_workers0");
  const auto after = diagnosed("v100_resnet50_workers4");
  const auto changes = compare(after, before);
  CHECK(changes.per_step);
  REQUIRE_FALSE(changes.uses.empty());
  CHECK(changes.uses.front().name == to_string(Use::wait_input));
  CHECK(changes.uses.front().difference() < -30e3);
  CHECK(std::ranges::count(changes.findings_gone, "data_loader_wait") == 1);
  CHECK(step_us(after) < step_us(before));
  const auto text = changes_text(changes, after, before, {}, {});
  CHECK(text.find("input-bound -> compute-bound") != std::string::npos);
}

TEST_CASE("the other traces are judged as they are", "[trace][diagnosis]") {
  CHECK(diagnosed("v100_train").verdict.regime == Regime::compute);
  CHECK(diagnosed("a100_large").verdict.regime == Regime::memory);
  CHECK(has(diagnosed("a100_large"), "exposed_communication"));
  // It sets up its context and its libraries for most of the time.
  CHECK(diagnosed("a100_alexnet").verdict.regime == Regime::unknown);
  CHECK(has(diagnosed("a100_alexnet"), "first_use"));
  CHECK_FALSE(has(diagnosed("a100_alexnet"), "device_allocations"));  // 4 of 28 calls take 1.87 of 1.96 s
}

TEST_CASE("what a trace cannot say is said", "[trace][diagnosis]") {
  const auto cpu = diagnosed("cpu_only");
  CHECK(cpu.verdict.regime == Regime::unknown);
  CHECK(cpu.verdict.evidence.starts_with("the training thread ran no operator"));
  const auto other = diagnosed("other_accelerator");
  CHECK(other.verdict.regime == Regime::unknown);
  CHECK(other.verdict.evidence.find("what kind of work") != std::string::npos);
  const auto amd = diagnosed("amd_mi250");
  CHECK(amd.device_activity);
  CHECK(amd.model == nullptr);
}

TEST_CASE("a range of steps is judged alone, and every one of it", "[trace][diagnosis]") {
  DiagnosisQuestion question;
  question.window.first_step = 17;
  question.window.last_step = 18;
  const auto diagnosis = diagnosed("v100_resnet50_workers0", question);
  CHECK(diagnosis.judged_steps == 2);
  REQUIRE(diagnosis.steps.size() == 2);
  CHECK(diagnosis.steps[0].name == "ProfilerStep#17");
  CHECK(diagnosis.ops.rows.size() > 10);
}

TEST_CASE("a phase is judged alone; an unknown one is refused with its near miss", "[trace][diagnosis]") {
  const auto phase = diagnosed("v100_train", {{}, "## forward ##"});
  const auto all = diagnosed("v100_train");
  CHECK(phase.kernels.count < all.kernels.count);
  CHECK(phase.kernels.count > 0);
  CHECK_THROWS_AS(diagnosed("v100_train", {{}, "## forwards ##"}), BadInput);
}

TEST_CASE("every line of every report fits 100 columns", "[trace][diagnosis]") {
  const auto* const name =
      GENERATE("v100_resnet50_workers0", "v100_resnet50_workers4", "v100_train", "a100_large", "a100_alexnet",
               "a100_two_streams", "a100_triton", "amd_mi250", "other_accelerator", "cpu_only");
  INFO(name);
  std::istringstream text(diagnosis_text(diagnosed(name), {}, {}));
  for (std::string line; std::getline(text, line);) {
    INFO(line);
    CHECK(line.size() <= 100);
  }
}

TEST_CASE("the JSON has the documented fields", "[trace][diagnosis]") {
  const auto diagnosis = diagnosed("v100_resnet50_workers0");
  const auto json = diagnosis_json({&diagnosis, 1});
  for (const char* field : {"op_table", "device", "launches", "queue", "steps", "verdict", "findings"})
    CHECK(json.contains(field));
  for (const char* field :
       {"name", "calls", "self_cpu_us", "cpu_total_us", "self_device_us", "device_total_us"})
    CHECK(json["op_table"][0].contains(field));
  for (const char* field :
       {"rank", "span_us", "idle_us", "compute_us", "communication_us", "memory_us", "streams"})
    CHECK(json["device"][0].contains(field));
  for (const char* field : {"host_wait_us", "kernel_wait_us", "other_us"})
    CHECK(json["device"][0]["streams"][0]["idle"].contains(field));
  for (const char* field : {"name", "us", "regime"}) CHECK(json["steps"][0].contains(field));
  for (const char* field : {"id", "severity", "message", "saves_us", "steps"})
    CHECK(json["findings"][0].contains(field));
  CHECK(json["verdict"]["regime"] == "input-bound");
  CHECK(json["launches"] == 7580);
}

TEST_CASE("whoever computes on tensor cores already is not told to", "[trace][diagnosis]") {
  const auto computing = [](const char* kernel) {
    tests::Story story;
    story.step([&] {
      story.kernels(kernel, 1, 50'000);
      story.host = story.device;
    });
    return diagnose(story.trace()).verdict.would_change;
  };
  CHECK(computing("ampere_fp16_s16816gemm_fp16_128x256_ldg8_f2f_stages_64x3_nn")
            .starts_with("less arithmetic"));
  const auto* tf32 = "sm90_xmma_gemm_f32f32_tf32f32_f32_tn_n_tilesize128x128x32_cublas";
  CHECK(computing(tf32).starts_with(
      "BF16 or FP16 (autocast), which tensor cores take at 2.00 times the rate of TF32"));
  CHECK(computing(tests::gemm).starts_with("tensor cores"));
}

TEST_CASE("products without shapes or types are not said to be where they should be", "[trace][diagnosis]") {
  const auto advice = [](const char* kernel, bool in_graph) {
    tests::Story story;
    story.step([&] {
      in_graph ? story.graph(kernel, 100, 500) : story.kernels(kernel, 100, 500);
      story.host = story.device;
    });
    return diagnose(story.trace()).verdict.would_change;
  };
  const auto* half = "ampere_bf16_s16816gemm_bf16_64x64_ldg8_f2f_stages_64x6_tn";
  CHECK(advice(half, true).find("no shapes of products that a graph launches") != std::string::npos);
  CHECK(advice(half, false).find("where a device should be") != std::string::npos);
  CHECK(advice("fused_moe_kernel", false).find("do not tell theirs") != std::string::npos);
}

TEST_CASE("where no operators were recorded they are asked for first", "[trace][diagnosis]") {
  const auto idling = [](bool with_operators) {
    tests::Story story;
    story.kernels(tests::pointwise, 1, 10);
    if (with_operators) story.within("aten::randn", "", [&] { story.pause(10); });
    story.pause(50'000);
    story.kernels(tests::pointwise, 1, 10);
    return diagnose(story.trace()).verdict;
  };
  CHECK(idling(false).regime == Regime::unknown);
  CHECK(idling(true).regime == Regime::overhead);
  CHECK(idling(false).would_change.find("ProfilerActivity.CPU") != std::string::npos);
  CHECK(idling(true).would_change.find("ProfilerActivity.CPU") == std::string::npos);
}

}  // namespace
