// Each threshold of the findings from both sides.
#include "tests/harness/trace/one_step.hpp"
#include "tests/harness/trace/thread_story.hpp"

#include "harness/trace/diagnosis_text.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <set>

namespace {

using namespace harness;
using namespace harness::trace;
using tests::found;
using tests::one_step;
using tests::Story;

Diagnosis loading(double us) {
  return one_step([us](Story& story) { story.load(us); });
}

TEST_CASE("a loader's wait is reported from 2 % of the time on", "[trace][findings]") {
  CHECK(found(loading(2010), "data_loader_wait") != nullptr);
  CHECK(found(loading(1990), "data_loader_wait") == nullptr);
}

TEST_CASE("a finding is medium from 5 % on and high from 15 % on", "[trace][findings]") {
  CHECK(found(loading(4900), "data_loader_wait")->severity == Severity::low);
  CHECK(found(loading(5100), "data_loader_wait")->severity == Severity::medium);
  CHECK(found(loading(14'900), "data_loader_wait")->severity == Severity::medium);
  CHECK(found(loading(15'100), "data_loader_wait")->severity == Severity::high);
}

TEST_CASE("a saving is the time that would vanish", "[trace][findings]") {
  CHECK(std::abs(found(loading(20'000), "data_loader_wait")->saves_us - 20'000) < 10);
}

TEST_CASE("a device that is busy for less than 70 % is remarked", "[trace][findings]") {
  CHECK(found(loading(30'100), "low_utilization") != nullptr);
  CHECK(found(loading(29'800), "low_utilization") == nullptr);
}

/// A step with one kernel of that name and length before the product.
Diagnosis with_kernel(const std::string& name, double us) {
  return one_step([&](Story& story) { story.kernels(name, 1, us); });
}

TEST_CASE("pointwise kernels are reported from 2 % of the time on", "[trace][findings]") {
  CHECK(found(with_kernel(tests::pointwise, 2010), "pointwise_kernels") != nullptr);
  CHECK(found(with_kernel(tests::pointwise, 1990), "pointwise_kernels") == nullptr);
}

TEST_CASE("conversions of layout are reported from 2 % of the time on", "[trace][findings]") {
  const std::string kernel = "void cudnn::ops::nchwToNhwcKernel<float, float>";
  CHECK(found(with_kernel(kernel, 2010), "layout_conversions") != nullptr);
  CHECK(found(with_kernel(kernel, 1990), "layout_conversions") == nullptr);
}

TEST_CASE("MIOpen's conversions of layout are some", "[trace][findings]") {
  for (const auto* kernel :
       {"batched_transpose_64x16_pack_4x1_ediv_2x1_half", "batched_transpose_32x32_half"})
    CHECK(found(with_kernel(kernel, 20'000), "layout_conversions") != nullptr);
  CHECK(found(with_kernel("at::native::transpose_kernel", 20'000), "layout_conversions") == nullptr);
}

TEST_CASE("waiting for launches is reported from 2 % of the time on", "[trace][findings]") {
  const auto pausing = [](double us) {
    return one_step([us](Story& story) {
      for (int i = 0; i < 10; ++i) {
        story.kernels(tests::gemm, 1, 100);
        story.pause(100 + us);
      }
    });
  };
  CHECK(found(pausing(210), "launch_gaps") != nullptr);
  CHECK(found(pausing(190), "launch_gaps") == nullptr);
}

TEST_CASE("a kernel whose name tells nothing is of unknown kind, and so is the verdict",
          "[trace][findings]") {
  CHECK(with_kernel("my_custom_kernel", 60'000).verdict.regime == Regime::unknown);
  CHECK(with_kernel("my_custom_kernel", 40'000).verdict.regime == Regime::compute);
  CHECK(with_kernel("triton_tem_fused_mm_0", 60'000).verdict.regime == Regime::compute);
  CHECK(with_kernel("void gemv2T_kernel_val<int, int, float>", 60'000).verdict.regime == Regime::memory);
}

TEST_CASE("kernels that give work to less than half of the multiprocessors are remarked",
          "[trace][findings]") {
  const auto blocks = [](const char* per_sm) {
    Story story;
    story.step([&] {
      story.kernels(tests::gemm, 1, 50'000, std::string(R"(, "blocks per SM": )") + per_sm);
      story.host = story.device;
    });
    return diagnose(story.trace());
  };
  CHECK(found(blocks("0.49"), "low_sm_share") != nullptr);
  CHECK(found(blocks("0.51"), "low_sm_share") == nullptr);
}

TEST_CASE("a hundred kernels, half of them below 10 us, are a sea of tiny ones", "[trace][findings]") {
  const auto sea = [](int tiny, int longer) {
    return one_step([=](Story& story) {
      story.kernels(tests::pointwise, tiny, 4);
      story.kernels(tests::pointwise, longer, 20);
    });
  };
  CHECK(found(sea(50, 49), "tiny_kernels") != nullptr);  // with the product 100
  CHECK(found(sea(49, 50), "tiny_kernels") == nullptr);
  CHECK(found(sea(98, 0), "tiny_kernels") == nullptr);
}

TEST_CASE("the tiny kernels of a graph have one launch, and are no sea", "[trace][findings]") {
  const auto replaying = [](int in_graph, int apart) {
    return one_step([=](Story& story) {
      story.graph(tests::pointwise, in_graph, 5);
      story.kernels(tests::pointwise, apart, 5);
    });
  };
  CHECK(found(replaying(1600, 0), "tiny_kernels") == nullptr);
  CHECK(found(replaying(1600, 98), "tiny_kernels") == nullptr);
  const auto both = replaying(1600, 200);
  REQUIRE(found(both, "tiny_kernels") != nullptr);
  CHECK(found(both, "tiny_kernels")->saves_us <= 201 * 5);
}

TEST_CASE("where no launch was recorded nobody is told what one costs", "[trace][findings]") {
  const auto said = [](bool launched) {
    Story story;
    if (launched) story.kernels(tests::pointwise, 200, 6);
    if (!launched) story.unlaunched(tests::pointwise, 200, 6);
    const auto diagnosis = diagnose(story.trace());
    REQUIRE(found(diagnosis, "tiny_kernels") != nullptr);
    return found(diagnosis, "tiny_kernels")->message.find("a launch costs") != std::string::npos;
  };
  CHECK(said(true));
  CHECK_FALSE(said(false));
}

TEST_CASE("fills and fused kernels are no pointwise kernels that could be fused", "[trace][findings]") {
  for (const auto* fused :
       {"void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>>",
        "triton_poi_fused_gelu_gelu_backward_view_4",
        "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::(anonymous "
        "namespace)::FusedOptimizerTensorListMetadata<4>, at::native::(anonymous "
        "namespace)::FusedAdamMathFunctor",
        "void vllm::act_and_mul_kernel<c10::BFloat16>"})
    CHECK(found(with_kernel(fused, 20'000), "pointwise_kernels") == nullptr);
  for (const auto* single :
       {"void at::native::(anonymous namespace)::fused_dropout_kernel_vec<float, float>",
        "multi_tensor_apply_kernel<TensorListMetadata<2>, at::native::BinaryOpListAlphaFunctor<float>>"})
    CHECK(found(with_kernel(single, 20'000), "pointwise_kernels") != nullptr);
}

TEST_CASE("attention in FP32 on tensor cores is no product that TF32 would change", "[trace][findings]") {
  CHECK(found(with_kernel("fmha_cutlassB_f32_aligned_64x64_k64_sm80", 60'000), "fp32_products") == nullptr);
  CHECK(found(with_kernel("fmha_cutlassB_f32_aligned_64x64_k64_sm75", 60'000), "fp32_products") != nullptr);
}

TEST_CASE("a kernel of one's own whose type only its call tells is no product that a setting changes",
          "[trace][findings]") {
  CHECK(found(with_kernel("matmul_k(float*, float*, float*, int, int, int)", 60'000), "fp32_products") ==
        nullptr);
  CHECK(found(with_kernel("void dgrad_engine<float, 512, 6, 5, 3, 3, 3, false>(int, float const*)", 60'000),
              "fp32_products") != nullptr);
  // Of few columns: no faster unit changes what it reads.
  CHECK(found(with_kernel("void gemmSN_NN_kernel<float, 256, 4, 2, 8, 4, 4, false>(float const*)", 60'000),
              "fp32_products") == nullptr);
}

TEST_CASE("products in FP32 name only steps whose unit the device has", "[trace][findings]") {
  const auto product = [](const char* device) {
    return one_step([](Story& story) { story.kernels(tests::gemm, 1, 50'000); }, device);
  };
  const auto ampere = product("NVIDIA A100-SXM4-40GB");
  REQUIRE(found(ampere, "fp32_products") != nullptr);
  CHECK(std::ranges::count(found(ampere, "fp32_products")->steps, "precision/tf32_matmul") == 1);
  const auto volta = product("Tesla V100-SXM2-32GB");
  REQUIRE(found(volta, "fp32_products") != nullptr);
  CHECK(std::ranges::count(found(volta, "fp32_products")->steps, "precision/tf32_matmul") == 0);
  CHECK(std::ranges::count(found(volta, "fp32_products")->steps, "precision/amp_fp16") == 1);
  CHECK(found(product("AMD Radeon Graphics"), "fp32_products") == nullptr);
}

TEST_CASE("a card whose trace does not tell how much memory it has is not said to have any",
          "[trace][findings]") {
  Story story;
  story.step([&] {
    story.kernels(tests::gemm, 1, 50'000);
    story.host = story.device;
  });
  const auto message = [](const std::string& text) {
    return found(diagnose(parse_trace(text, "a100.json")), "fp32_products")->message;
  };
  auto text = story.text("NVIDIA A100");
  CHECK(message(text).find("for 50.0 ms a step; NVIDIA A100 has TF32") != std::string::npos);
  const std::string memory = R"("totalGlobalMem": 42505273344, )";
  text.erase(text.find(memory), memory.size());
  CHECK(message(text).find("NVIDIA A100 has TF32") != std::string::npos);
}

TEST_CASE("products in FP32 are found on a device that the table of peaks lacks, by its compute capability",
          "[trace][findings]") {
  const auto product = [](const char* device, int compute_major) {
    Story story;
    story.compute_major = compute_major;
    story.step([&] {
      story.kernels(tests::gemm, 1, 50'000);
      story.host = story.device;
    });
    return diagnose(story.trace(device));
  };
  const auto ampere = product("NVIDIA GeForce RTX 3060", 8);
  REQUIRE(ampere.model == nullptr);
  REQUIRE(found(ampere, "fp32_products") != nullptr);
  CHECK(found(ampere, "fp32_products")->saves_us == 0);
  CHECK(std::ranges::count(found(ampere, "fp32_products")->steps, "precision/tf32_matmul") == 1);
  const auto turing = product("NVIDIA GeForce RTX 2080 Ti", 7);
  REQUIRE(found(turing, "fp32_products") != nullptr);
  CHECK(std::ranges::count(found(turing, "fp32_products")->steps, "precision/tf32_matmul") == 0);
  CHECK(found(product("NVIDIA GeForce GTX 1660", 7), "fp32_products") == nullptr);
  CHECK(found(product("NVIDIA GeForce GTX 1080", 6), "fp32_products") == nullptr);
  CHECK(found(product("AMD Radeon Graphics", 9), "fp32_products") == nullptr);
}

Diagnosis steps_of(std::initializer_list<double> lengths) {
  Story story;
  for (const double us : lengths)
    story.step([&] {
      story.kernels(tests::gemm, 1, us);
      story.host = story.device;
    });
  return diagnose(story.trace());
}

TEST_CASE("a first step that is longer by a fifth is a warm-up", "[trace][findings]") {
  CHECK(found(steps_of({12'200, 10'000, 10'000, 10'000}), "warm_up") != nullptr);
  CHECK(found(steps_of({11'800, 10'000, 10'000, 10'000}), "warm_up") == nullptr);
}

TEST_CASE("steps that differ by a tenth are unsteady", "[trace][findings]") {
  CHECK(found(steps_of({10'000, 10'000, 11'200, 10'000, 10'000}), "unsteady_steps") != nullptr);
  CHECK(found(steps_of({10'000, 10'000, 10'900, 10'000, 10'000}), "unsteady_steps") == nullptr);
}

TEST_CASE("the first and the last of four steps or more do not count for the verdict", "[trace][findings]") {
  CHECK(steps_of({10'000, 10'000, 10'000}).judged_steps == 3);
  CHECK(steps_of({10'000, 10'000, 10'000, 10'000}).judged_steps == 2);
}

TEST_CASE("only steps that the suite has are named", "[trace][findings]") {
  Story story;
  story.step([&] {
    story.load(50'000);
    story.kernels(tests::gemm, 1, 50'000);
    story.host = story.device;
  });
  const auto diagnosis = diagnose(
      story.trace(), {}, [](std::string_view step) { return step == "dataload/workers_slow_source"; });
  REQUIRE(found(diagnosis, "data_loader_wait") != nullptr);
  CHECK(found(diagnosis, "data_loader_wait")->steps ==
        std::vector<std::string>{"dataload/workers_slow_source"});
  for (const auto& finding : diagnosis.findings)
    for (const auto& step : finding.steps) CHECK(step == "dataload/workers_slow_source");
}

TEST_CASE("the ids of the findings are unique, and their steps are step names", "[trace][findings]") {
  std::set<std::string_view> ids;
  for (const auto& kind : finding_kinds()) {
    CHECK(ids.insert(kind.id).second);
    CHECK_FALSE(kind.looks_for.empty());
    for (const auto step : kind.steps) CHECK(step.find('/') != step.npos);
  }
}

TEST_CASE("a device that idles beside its first use is said to", "[trace][findings]") {
  const auto busy = [](double first_us) {
    Story story;
    for (int i = 0; i < 3; ++i)
      story.step([&] {
        story.blocking_kernel(tests::gemm, 10'000);
        if (first_us > 0) story.call("cudaModuleLoadData", first_us);
        for (int j = 0; j < 90; ++j) {
          story.kernels(tests::pointwise, 1, 30);
          story.pause(400);
        }
      });
    return diagnose(story.trace());
  };
  const auto without = busy(0);
  REQUIRE(found(without, "low_utilization") != nullptr);
  CHECK(found(without, "low_utilization")->message.find("first use") == std::string::npos);
  const auto with = busy(10'000);
  REQUIRE(with.shares[Use::start_up] > 0);
  REQUIRE(found(with, "low_utilization") != nullptr);
  CHECK(found(with, "low_utilization")->message.find("of the time without the first use of kernels") !=
        std::string::npos);
}

TEST_CASE("traces of two devices are compared with a remark", "[trace][findings]") {
  const auto on = [](const std::string& name) {
    Story story;
    story.step([&] {
      story.kernels(tests::gemm, 1, 50'000);
      story.host = story.device;
    });
    return diagnose(story.trace(name));
  };
  const auto a100 = on("NVIDIA A100-SXM4-40GB");
  CHECK(compare(a100, a100).differ.empty());
  CHECK(compare(a100, on("")).differ.empty());
  CHECK(compare(on("NVIDIA H100"), a100)
            .differ.starts_with("the first is of NVIDIA H100, the second of NVIDIA A100"));
  tests::ThreadStory thread;
  const auto changes = compare(a100, thread.diagnosis());
  CHECK(changes.differ.find("the second of a processor") != std::string::npos);
  CHECK(changes_text(changes, a100, a100, {}, {}).find("Remark: the first is of") != std::string::npos);
}

}  // namespace
