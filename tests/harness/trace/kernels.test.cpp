#include "harness/trace/kernels.hpp"

#include "tests/harness/trace/made_up.hpp"
#include "tests/harness/trace/story.hpp"

#include "harness/trace/kernel_rules.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <fstream>
#include <string>
#include <utility>

namespace {

using namespace harness;
using namespace harness::trace;
using enum KernelKind;

TEST_CASE("each row of the table of kinds decides the name that it was written for", "[trace][kernels]") {
  for (const auto& rule : kernel_rules()) {
    INFO(rule.example);
    CHECK(kernel_rule(rule.example) == &rule);
  }
}

TEST_CASE("98 of 100 names that were met get the kind that a person gave them", "[trace][kernels]") {
  std::ifstream file(tests::golden_directory() / "kernel_names.tsv");
  std::string wrong;
  int names = 0;
  int right = 0;
  for (std::string line; std::getline(file, line); ++names) {
    const auto tab = line.find('\t');
    REQUIRE(tab != line.npos);
    const auto name = line.substr(0, tab);
    const auto kind = to_string(kernel_kind(name));
    if (kind == line.substr(tab + 1))
      ++right;
    else
      wrong += std::string(kind) + ", not " + line.substr(tab + 1) + ": " + name + "\n";
  }
  INFO(wrong);
  CHECK(names >= 400);
  CHECK(right * 100 >= names * 98);
}

TEST_CASE("the function's own name tells more than its namespace, and that more than its arguments",
          "[trace][kernels]") {
  const auto [name, kind] = GENERATE(table<const char*, KernelKind>(
      {{"void flashinfer::norm::FusedAddRMSNormKernel<8u, __nv_bfloat16>(x)", normalization},
       {"void flashinfer::activation::act_and_mul_kernel<__nv_bfloat16>(x)", pointwise},
       {"void flashinfer::sampling::TopKTopPSamplingFromProbKernel<1024u>(x)", indexing},
       {"void flashinfer::trtllm_allreduce_fusion::allreduce_fusion_kernel_oneshot_lamport<0>(x)",
        communication},
       {"void vllm::reshape_and_cache_flash_kernel<__nv_bfloat16>(x)", indexing},
       {"void fbgemm_gpu::permute_pooled_embs_kernel<float>(x)", indexing},
       {"void split_embedding_codegen_forward_unweighted_kernel<c10::Half>(at::PackedTensorAccessor<int>, "
        "fbgemm_gpu::FixedDivisor)",
        indexing},
       {"void deep_ep::internode::combine<false>(x)", communication},
       {"ns::LayerNormKernel", normalization},
       {"RMSNorm2dFwd", normalization},
       {"fused_rmsnorm", normalization},
       {"FlashAttnFwd", attention},
       {"applyRopeKernel", pointwise},
       {"void two_shot_all_reduce_kernel_inplace<c10::BFloat16>(x)", communication},
       {"void cutlass::device_kernel<flash::enable_sm90_or_later<flash::FlashAttnFwdSm90<x>>>(x)", attention},
       {"void ck_tile::kentry<1, ck_tile::Rmsnorm2dFwd<x>>(x)", normalization},
       {"_ZN5aiter24add_rmsnorm_quant_kernelIDF16bDF16bLi256ELi16EEvPT0_PT_", normalization},
       {"std::enable_if<(((8)>(0)))&&vllm::_typeConvert<c10::BFloat16>::exists, void>::type "
        "vllm::fused_add_rms_norm_kernel<c10::BFloat16>(x)",
        normalization}}));
  INFO(name);
  CHECK(kernel_kind(name) == kind);
}

TEST_CASE("a name that tells nothing is of no kind", "[trace][kernels]") {
  for (const auto* name :
       {"something_of_ours", "_fwd_kernel", "triton__0d1d2d", "", "_ZN9999999999999999999x", "a<",
        // Parts that tell a kind, within words that do not.
        "normals_from_depth", "enormous_stencil", "transform_points_kernel", "attnstats_log",
        "property_lookup", "forecast_kernel", "madam_update", "igluefy", "scroller_step", "delude_kernel"}) {
    INFO(name);
    CHECK(kernel_kind(name) == other);
    CHECK(kernel_rule(name) == nullptr);
  }
}

TEST_CASE("a product's name tells its arithmetic", "[trace][kernels]") {
  CHECK(kernel_arithmetic("ampere_sgemm_128x64_nn") == Arithmetic::fp32);
  CHECK(kernel_arithmetic("cutlass_80_tensorop_s1688gemm_64x64") == Arithmetic::tf32);
  CHECK(kernel_arithmetic("cutlass_75_tensorop_bf16_s1688gemm_bf16_128x128_nn_align1") == Arithmetic::bf16);
  CHECK(kernel_arithmetic("turing_fp16_s1688gemm_fp16_128x128_ldg8_f2f_tn") == Arithmetic::fp16);
  CHECK(kernel_arithmetic("fmha_cutlassB_f32_aligned_64x64_k64_sm80") == Arithmetic::tf32);
  CHECK(kernel_arithmetic("fmha_cutlassF_f32_aligned_64x64_rf_sm75") == Arithmetic::fp32);
  CHECK(kernel_arithmetic("fmha_cutlassF_f16_aligned_64x64_rf_sm80") == Arithmetic::fp16);
  CHECK(kernel_arithmetic("ampere_fp16_s16816gemm_fp16_128x128") == Arithmetic::fp16);
  CHECK(kernel_arithmetic("ampere_bf16_s16816gemm_bf16_128x128") == Arithmetic::bf16);
  CHECK(kernel_arithmetic("Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_SAV_UserArgs_MT256x192x64") == Arithmetic::bf16);
  CHECK(kernel_arithmetic("Cijk_Alik_Bljk_B_BS_BH_Bias_HA_S_SAV_UserArgs_MT64x32x128") == Arithmetic::bf16);
  CHECK(kernel_arithmetic("Cijk_Ailk_Bljk") == Arithmetic::unknown);
  CHECK(kernel_arithmetic("Cijk_Ailk_Bljk_HHS_BH_MT128x128x16_SE") == Arithmetic::fp16);
  CHECK(kernel_arithmetic("Cijk_Ailk_Bljk_SB_MT128x64x16_SE") == Arithmetic::fp32);
}

TEST_CASE("a kernel of 10 us is not tiny, a shorter one is", "[trace][kernels]") {
  tests::Story story;
  story.kernels(tests::pointwise, 3, 9.999);
  story.kernels(tests::pointwise, 1, 10);
  const auto summary = kernel_summary(story.trace());
  CHECK(summary.count == 4);
  CHECK(summary.tiny_share == 0.75);
}

TEST_CASE("kernels of one name are one row, by falling time", "[trace][kernels]") {
  tests::Story story;
  story.kernels(tests::pointwise, 3, 10);
  story.kernels(tests::gemm, 1, 100);
  const auto summary = kernel_summary(story.trace());
  REQUIRE(summary.rows.size() == 2);
  CHECK(summary.rows[0].name == tests::gemm);
  CHECK(summary.rows[1].count == 3);
  CHECK(summary.product_share() == 100.0 / 130);
}

TEST_CASE("communication does not dilute the share of products", "[trace][kernels]") {
  tests::Story story;
  story.kernels(tests::gemm, 1, 50);
  story.kernels(tests::pointwise, 1, 50);
  story.kernels("ncclDevKernel_AllReduce", 1, 900);
  CHECK(kernel_summary(story.trace()).product_share() == 0.5);
}

TEST_CASE("a kernel's name is shortened to what a person can read", "[trace][kernels]") {
  CHECK(short_kernel_name("void at::native::vectorized_elementwise_kernel<4, at::native::AddFunctor<float>, "
                          "at::detail::Array<char*, 3> >(int, at::native::AddFunctor<float>)") ==
        "vectorized_elementwise_kernel AddFunctor");
  CHECK(short_kernel_name("void cutlass::Kernel<cutlass_80_tensorop_s1688gemm_64x64>(int)") ==
        "cutlass_80_tensorop_s1688gemm_64x64");
  CHECK(short_kernel_name("volta_sgemm_64x64_nt") == "volta_sgemm_64x64_nt");
  CHECK(short_kernel_name("std::enable_if<!(false), void>::type vllm::fused_add_rms_norm_kernel<8>(int)") ==
        "fused_add_rms_norm_kernel");
  CHECK(short_kernel_name(
            "void cutlass::device_kernel<flash::enable_sm90_or_later<flash::FlashAttnFwdSm90<2>>>(x)") ==
        "FlashAttnFwdSm90");
  CHECK(
      short_kernel_name("_ZN7ck_tile6kentryILi1ENS_12Rmsnorm2dFwdINS_27Rmsnorm2dFwdPipelineOnePassEEEEvT_") ==
      "Rmsnorm2dFwd");
  CHECK(short_kernel_name(
            "_ZN7cutlass6KernelINS_4gemm6kernel9MoeFCGemmINS1_11threadblock13MmaMultistageIS2_EEEEEvT_") ==
        "MoeFCGemm");
  CHECK(short_kernel_name(
            "_ZN7cutlass13device_kernelI17enable_sm120_onlyINS_4gemm6kernel13GemmUniversalIiEEEEEvT_") ==
        "GemmUniversal");
  CHECK(short_kernel_name(
            "std::enable_if<!(false), void>::type internal::gemvx::kernel<int, int, float>(int)") ==
        "gemvx::kernel");
  CHECK(short_kernel_name("_ZN5aiter32fmha_fwd_hd192_hd128_bf16_causalE.kd") ==
        "fmha_fwd_hd192_hd128_bf16_causal");
  CHECK(short_kernel_name("Memcpy HtoD (Pageable -> Device)") == "Memcpy HtoD (Pageable -> Device)");
}

}  // namespace
