// Each threshold of the findings about how the model is written, from both sides.
#include "tests/harness/trace/one_step.hpp"
#include "tests/harness/trace/thread_story.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <string>
#include <vector>

namespace {

using namespace harness;
using namespace harness::trace;
using Catch::Matchers::ContainsSubstring;
using tests::found;
using tests::one_step;
using tests::Story;

/// The operators one after the other, each with a kernel; the softmax's takes `us`.
Diagnosis calling(const std::vector<std::string>& names, double us) {
  return one_step([&](Story& story) {
    for (const auto& name : names)
      story.within(name, "", [&] { story.kernels(tests::pointwise, 1, name == "aten::softmax" ? us : 10); });
  });
}

TEST_CASE("a softmax between two products of activations is attention by hand", "[trace][findings]") {
  const std::vector<std::string> attention{"aten::matmul", "aten::div", "aten::softmax", "aten::matmul"};
  const auto diagnosis = calling(attention, 2000);
  REQUIRE(found(diagnosis, "unfused_attention") != nullptr);
  CHECK(std::abs(found(diagnosis, "unfused_attention")->saves_us - 2010) < 1);
  CHECK(found(calling(attention, 1980), "unfused_attention") == nullptr);
}

TEST_CASE("a softmax behind a layer, or far from a product, is none", "[trace][findings]") {
  CHECK(found(calling({"aten::linear", "aten::softmax", "aten::matmul"}, 9000), "unfused_attention") ==
        nullptr);
  CHECK(found(calling({"aten::matmul", "aten::softmax", "aten::linear", "aten::matmul"}, 9000),
              "unfused_attention") == nullptr);
  std::vector<std::string> far{"aten::matmul", "aten::softmax"};
  far.insert(far.end(), 6, "aten::add");
  far.emplace_back("aten::matmul");
  CHECK(found(calling(far, 9000), "unfused_attention") == nullptr);
  far.erase(far.begin() + 2);
  CHECK(found(calling(far, 9000), "unfused_attention") != nullptr);
}

Diagnosis multiplying(const std::string& shapes, const std::string& kernel, double us = 3000) {
  return one_step([&](Story& story) {
    story.pause(2);
    story.op("aten::mm", shapes, kernel, us);
  });
}

TEST_CASE("half-precision products want sizes that are multiples of 8", "[trace][findings]") {
  const std::string half = "ampere_fp16_s16816gemm_fp16_128x64_ldg8_f2f_tn";
  CHECK(found(multiplying("[[33, 64], [64, 1001]]", half), "unaligned_products") != nullptr);
  CHECK(found(multiplying("[[33, 63], [63, 1000]]", half), "unaligned_products") != nullptr);
  CHECK(found(multiplying("[[33, 64], [64, 1000]]", half), "unaligned_products") == nullptr);
  CHECK(found(multiplying("[[33, 64], [64, 1001]]", tests::gemm), "unaligned_products") == nullptr);
  CHECK(found(multiplying("[[33, 64], [64, 1001]]", half, 1900), "unaligned_products") == nullptr);
}

/// A convolution whose bias takes `us` to add, and the operator behind it.
Diagnosis convolving(const std::string& bias, const std::string& next, double us) {
  return one_step([&](Story& story) {
    story.within("aten::conv2d", R"("Input Dims": [[8, 3, 32, 32], [16, 3, 3, 3], )" + bias + "]", [&] {
      story.kernels("implicit_convolve_sgemm", 1, 10);
      if (us > 0) story.within("aten::add_", "", [&] { story.kernels(tests::pointwise, 1, us); });
    });
    story.within(next, "", [&] { story.kernels("bn_fw_tr_1C11", 1, 10); });
  });
}

TEST_CASE("a bias directly before batch normalization is reported from 2 % of the time on",
          "[trace][findings]") {
  CHECK(found(convolving("[16]", "aten::batch_norm", 2010), "bias_before_norm") != nullptr);
  CHECK(found(convolving("[16]", "aten::batch_norm", 1990), "bias_before_norm") == nullptr);
  CHECK(found(convolving("[16]", "aten::relu", 2010), "bias_before_norm") == nullptr);
  CHECK(found(convolving("[]", "aten::batch_norm", 2010), "bias_before_norm") == nullptr);
}

TEST_CASE("kernels on two devices are the work of one process", "[trace][findings]") {
  const auto on = [](int device) {
    return tests::Made{"kernel", "relu", 0, 100,
                       R"("device": )" + std::to_string(device) + R"(, "stream": 7)"};
  };
  CHECK(found(diagnose(tests::trace_of({on(0), on(1)})), "several_devices") != nullptr);
  CHECK(found(diagnose(tests::trace_of({on(0), on(0)})), "several_devices") == nullptr);
}

TEST_CASE("devices that work one after the other are told of pipelines, others of DataParallel",
          "[trace][findings]") {
  const auto said = [](double begin) {
    const auto diagnosis =
        diagnose(tests::trace_of({{"kernel", "relu", 0, 100, R"("device": 0, "stream": 7)"},
                                  {"kernel", "relu", begin, 100, R"("device": 1, "stream": 7)"}}));
    REQUIRE(found(diagnosis, "several_devices") != nullptr);
    return found(diagnosis, "several_devices")->message;
  };
  CHECK(said(91).find("one after the other") != std::string::npos);
  CHECK(said(89).find("as DataParallel does") != std::string::npos);
}

TEST_CASE("exposed copies on the stream of the kernels are said to be there", "[trace][findings]") {
  const auto diagnosis = one_step([](Story& story) {
    story.kernels(tests::gemm, 1, 100);
    story.copy("HtoD (Pinned -> Device)", 1e7, 3000);
  });
  REQUIRE(found(diagnosis, "exposed_copies_in") != nullptr);
  CHECK_THAT(found(diagnosis, "exposed_copies_in")->message, ContainsSubstring("the kernels' own stream"));
}

TEST_CASE("a convolution in PyTorch's own fallback is named", "[trace][findings]") {
  tests::ThreadStory story;
  story.within("cpu_op", "aten::conv2d", [&] { story.op("aten::_slow_conv2d_forward", 40'000); });
  const auto diagnosis = story.diagnosis();
  REQUIRE(found(diagnosis, "slow_convolution") != nullptr);
  CHECK(found(diagnosis, "slow_convolution")->saves_us == 40'000);
}

TEST_CASE("inference goes forwards alone", "[trace][findings]") {
  const std::vector<std::string> attention{"aten::matmul", "aten::div", "aten::softmax", "aten::matmul"};
  CHECK(found(calling(attention, 2000), "unfused_attention")->message.find("backward") == std::string::npos);
  auto training = attention;
  training.emplace_back("autograd::engine::evaluate_function: MmBackward0");
  CHECK_THAT(found(calling(training, 2000), "unfused_attention")->message,
             ContainsSubstring("forward, and again backward"));
}

}  // namespace
