#include "tests/harness/trace/one_step.hpp"

#include "harness/trace/efforts.hpp"
#include "harness/trace/event_arguments.hpp"
#include "harness/trace/kernels.hpp"
#include "harness/trace/timeline.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

namespace {

using namespace harness;
using namespace harness::trace;
using Catch::Matchers::WithinRel;

TEST_CASE("relu on FP32 needs 0.125 FLOP per byte", "[trace][intensity]") {
  const auto need = need_of({"aten::relu", {{1000, 3}}, {"float"}, {}});
  REQUIRE(need);
  CHECK(need->flop == 3000);
  CHECK(need->bytes == 24000);
  CHECK(need->intensity() == 0.125);
}

TEST_CASE("relu on half the bytes needs twice the intensity", "[trace][intensity]") {
  CHECK(need_of({"aten::relu", {{8}}, {"c10::Half"}, {}})->intensity() == 0.25);
}

TEST_CASE("an output that is handed in is not read", "[trace][intensity]") {
  CHECK(need_of({"aten::clamp_min", {{8}, {}, {8}}, {"float", "Scalar", "float"}, {}})->bytes == 64);
}

TEST_CASE("a matrix product needs 2 m n k FLOP and each matrix once", "[trace][intensity]") {
  const auto need = need_of({"aten::mm", {{4, 5}, {5, 6}}, {"float", "float"}, {}});
  REQUIRE(need);
  CHECK(need->flop == 2 * 4 * 5 * 6);
  CHECK(need->bytes == 4 * (20 + 30 + 24));
}

TEST_CASE("addmm reads its addend, bmm counts each batch, linear its transposed weight",
          "[trace][intensity]") {
  CHECK(need_of({"aten::addmm", {{6}, {4, 5}, {5, 6}}, {}, {}})->bytes == 4 * (6 + 20 + 30 + 24));
  CHECK(need_of({"aten::bmm", {{2, 4, 5}, {2, 5, 6}}, {}, {}})->flop == 2 * 2 * 4 * 5 * 6);
  CHECK(need_of({"aten::linear", {{4, 5}, {6, 5}, {6}}, {}, {}})->flop == 2 * 4 * 5 * 6);
}

TEST_CASE("a convolution is counted where its stride was recorded, and only there", "[trace][intensity]") {
  const std::vector<Shape> shapes{{1, 3, 8, 8}, {4, 3, 3, 3}, {}};
  const Recorded with{"aten::conv2d", shapes, {}, {"", "", "", "[2, 2]", "[1, 1]", "[1, 1]", "1"}};
  const auto need = need_of(with);
  REQUIRE(need);
  CHECK(need->flop == 2.0 * 4 * 4 * 4 * 27);  // 4 x 4 outputs of 4 channels, 27 products each
  CHECK_FALSE(need_of({"aten::conv2d", shapes, {}, {}}));
}

TEST_CASE("what is incomplete or unknown is not counted", "[trace][intensity]") {
  CHECK_FALSE(need_of({"aten::mm", {{4, 5}}, {}, {}}));
  CHECK_FALSE(need_of({"aten::mm", {{4, 5}, {7, 6}}, {}, {}}));
  CHECK_FALSE(need_of({"aten::relu", {{}}, {}, {}}));
  CHECK_FALSE(need_of({"aten::sort", {{8}}, {}, {}}));
}

TEST_CASE("shapes, lists and types are read as the profiler writes them", "[trace][intensity]") {
  CHECK(parse_shapes("[[64, 3], [], [[2, 2], [3]]]") == std::vector<Shape>{{64, 3}, {}, {}});
  CHECK(parse_shapes("").empty());
  CHECK(parse_list("[1, 2]") == Shape{1, 2});
  CHECK(parse_strings(R"(["float", "", "[1, 1]"])") == std::vector<std::string_view>{"float", "", "[1, 1]"});
}

TEST_CASE("thin products are bound by memory where the device is known", "[trace][intensity]") {
  tests::Story story;
  story.op("aten::mm", "[[4096, 4096], [4096, 4096]]", tests::gemm, 8000);
  story.op("aten::mm", "[[4096, 4], [4, 4096]]", tests::gemm, 100);
  const auto trace = story.trace();
  const auto found = efforts(trace);
  REQUIRE(found.calls.size() == 2);
  const auto line = timeline(trace, found, peaks_of(trace.devices[0]).get());
  const Span whole{line.moments.front().begin, line.moments.back().end};
  const auto all = shares(line, {&whole, 1});
  CHECK_THAT(all[Use::arithmetic], WithinRel(8000, 1e-6));
  CHECK_THAT(all[Use::memory], WithinRel(100, 1e-6));
}

/// Ten calls of a product, by its name, its shapes and its kernel's; the rest is nothing.
Diagnosis multiplying(const std::string& op, const std::string& shapes, const std::string& kernel,
                      const char* device = "NVIDIA A100-SXM4-40GB") {
  tests::Story story;
  story.step([&] {
    story.pause(2);  // an operator begins before what it launches, and within the step
    for (int i = 0; i < 10; ++i) {
      if (shapes.empty())
        story.kernels(kernel, 1, 1000);
      else
        story.op(op, shapes, kernel, 1000);
    }
    story.host = story.device;
  });
  return diagnose(story.trace(device));
}

constexpr auto half_gemm = "ampere_fp16_s16816gemm_fp16_64x64_sliced1x2_ldg8_f2f_stages_64x5_tn";
constexpr auto unlisted = "A card that no sheet lists";

TEST_CASE("products of few rows are bound by memory on any device, whatever their kernel is called",
          "[trace][intensity]") {
  for (const auto* device : {"NVIDIA A100-SXM4-40GB", unlisted})
    for (const auto& [op, shapes] : {std::pair{"aten::mm", "[[1, 4096], [4096, 4096]]"},
                                     std::pair{"aten::addmm", "[[11008], [4, 4096], [4096, 11008]]"},
                                     std::pair{"aten::linear", "[[1, 1, 4096], [32000, 4096], []]"},
                                     std::pair{"aten::bmm", "[[32, 1, 128], [32, 128, 700]]"}}) {
      INFO(device << " " << op);
      CHECK(multiplying(op, shapes, half_gemm, device).verdict.regime == Regime::memory);
      CHECK(multiplying(op, shapes, "something_of_ours", device).verdict.regime == Regime::memory);
    }
  const auto* large = "[[2048, 4096], [4096, 4096]]";
  CHECK(multiplying("aten::mm", large, half_gemm, unlisted).verdict.regime == Regime::compute);
  CHECK(multiplying("aten::mm", large, half_gemm).verdict.regime == Regime::compute);
  // Units for FP64 may be slower than any memory.
  CHECK(
      multiplying("aten::mm", "[[1, 4096], [4096, 4096]]", "volta_dgemm_64x64_nn", unlisted).verdict.regime ==
      Regime::compute);
}

TEST_CASE("every listed device has more FLOP per byte than what bounds any", "[trace][intensity]") {
  const auto book = parse_json(gpus_json(), "gpus.json");
  int sheets = 0;
  for (const auto& sheet : Field(book, "gpus.json")["gpus"].entries()) {
    const auto model = read_sheet(sheet);
    if (model.bandwidth_gb_s <= 0) continue;
    ++sheets;
    for (const auto arithmetic : {Arithmetic::fp32, Arithmetic::tf32, Arithmetic::fp16, Arithmetic::bf16})
      if (peak_flops(model, arithmetic) > 0) CHECK(balance(model, arithmetic) > least_balance);
  }
  CHECK(sheets > 30);
}

TEST_CASE("a kernel's name tells products of few rows by its tile, and attention of one query",
          "[trace][kernels]") {
  for (const auto* name :
       {"nvjet_tst_64x8_64x16_1x4_h_bz_coopB_TNT", "nvjet_hsh_128x16_64x9_2x1_v_bz_splitK_TNN",
        "void cutlass::Kernel2<cutlass_80_wmma_tensorop_bf16_s161616gemm_bf16_16x16_128x2_tn_align8>(x)",
        "_matmul_ogs_NNT_bf16xbf16xmxfp4_16x128x256x1_swiglu",
        "bmm_MxE4m3_MxE2m1MxE4m3_Fp32_t128x16x256u2_s3_et128x16_m128x16x32",
        "Cijk_Alik_Bljk_HHS_BH_Bias_HA_S_SAV_UserArgs_MT16x16x128_MI16x16x1",
        "sm80_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize16x128x64_stage4_warpsize1x4x1_tensor16x8x16_"
        "kernel",
        "void gemmSN_TN_kernel<float, 128, 16, 2, 4, 8, 9, false, cublasGemvTensorStridedBatched<float>>(x)",
        "void gemmk1_kernel<int, float, 256, 5, false, false, false, false>(x)",
        "void vllm::paged_attention_v1_kernel<unsigned short, unsigned short, 128, 16, 128>",
        "void flashinfer::BatchDecodeWithPagedKVCacheKernel<(flashinfer::PosEncodingMode)0>",
        "_fwd_kernel_flash_decode_stage1"}) {
    INFO(name);
    CHECK(is_product(kernel_kind(name)));
    CHECK(has_few_rows(name));
    CHECK(multiplying("", "", name).verdict.regime == Regime::memory);
    CHECK(multiplying("", "", name, unlisted).verdict.regime == Regime::memory);
  }
  for (const auto* name :
       {half_gemm, "nvjet_tst_64x64_64x16_2x1_2cta_v_bz_bias_TNT",
        "nvjet_hsh_32x64_64x16_4x1_v_bz_splitK_TNN",
        "Cijk_Ailk_Bljk_S_B_Bias_HA_S_SAV_UserArgs_MT16x16x128_MI16x16x1",  // FP32
        "sm80_xmma_gemm_f16f16_f16f32_f32_tn_n_tilesize96x128x32_stage4_warpsize2x2x1_tensor16x8x16_kernel",
        "gemm_a64x64", "ampere_sgemm_32x32_sliced1x4_tn",
        "void marlin::Marlin<1125899906910725l, 128, 1, 8, 4>",
        "void pytorch_flash::flash_fwd_splitkv_kernel<Flash_fwd_kernel_traits<64, 64, 128, 4>>",
        "void smxx::decode::flash_fwd_mla_combine_kernel<cutlass::bfloat16_t, 512, 8, 160, 256>"}) {
    INFO(name);
    CHECK_FALSE(has_few_rows(name));
    CHECK(multiplying("", "", name).verdict.regime == Regime::compute);
  }
}

TEST_CASE("no faster unit is offered for products that wait for memory", "[trace][findings]") {
  const auto* thin = "[[1, 4096], [4096, 4096]]";
  CHECK(tests::found(multiplying("aten::mm", thin, tests::gemm), "fp32_products") == nullptr);
  CHECK(tests::found(multiplying("aten::mm", "[[2, 4096], [4096, 4096]]", "volta_sgemm_32x128_tn"),
                     "fp32_products") == nullptr);
  CHECK(tests::found(multiplying("aten::linear", "[[3, 4096], [4096, 4096], []]", tests::gemm),
                     "fp32_products") == nullptr);
  CHECK(tests::found(multiplying("aten::mm", "[[4096, 4096], [4096, 4096]]", tests::gemm), "fp32_products") !=
        nullptr);
  const auto decoding = multiplying("aten::mm", thin, tests::gemm);
  CHECK(decoding.verdict.would_change.find("more rows at once") != std::string::npos);
}

}  // namespace
