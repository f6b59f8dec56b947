#include "harness/trace/kernels.hpp"

#include "tests/harness/trace/story.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <utility>

namespace {

using namespace harness;
using namespace harness::trace;
using enum KernelKind;

TEST_CASE("a kernel's name tells its kind", "[trace][kernels]") {
  const auto [name, kind] = GENERATE(table<const char*, KernelKind>(
      {{"volta_sgemm_64x64_nt", matrix_product},
       {"void cutlass::Kernel<cutlass_80_tensorop_s1688gemm_64x64_32x6_tn_align4>(...)", matrix_product},
       {"Cijk_Alik_Bljk_SB_Bias_AS_SAV_UserArgs", matrix_product},
       {"void cudnn::detail::dgrad_engine<float, 512, 6, 5, 3, 3, 3, false>(int)", convolution},
       {"volta_scudnn_128x64_relu_interior_nn_v1", convolution},
       {"sm80_xmma_fprop_implicit_gemm_indexed_tf32f32", convolution},
       {"void pytorch_flash::flash_fwd_kernel<Flash_fwd_kernel_traits<64>>", attention},
       {"void at::native::vectorized_elementwise_kernel<4, at::native::gemm_like<float>>", pointwise},
       {"triton_poi_fused_add_cos_sin_0", pointwise},
       {"void cudnn::bn_fw_tr_1C11_kernel_NCHW<float>", normalization},
       {"void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float>>", reduction},
       {"void at::native::(anonymous namespace)::CatArrayBatchedCopy<float>", indexing},
       {"ncclKernel_AllReduce_RING_LL_Sum_float(ncclWorkElem)", communication},
       {"something_of_ours", other}}));
  INFO(name);
  CHECK(kernel_kind(name) == kind);
}

TEST_CASE("a product's name tells its arithmetic", "[trace][kernels]") {
  CHECK(kernel_arithmetic("ampere_sgemm_128x64_nn") == Arithmetic::fp32);
  CHECK(kernel_arithmetic("cutlass_80_tensorop_s1688gemm_64x64") == Arithmetic::tf32);
  CHECK(kernel_arithmetic("ampere_fp16_s16816gemm_fp16_128x128") == Arithmetic::fp16);
  CHECK(kernel_arithmetic("ampere_bf16_s16816gemm_bf16_128x128") == Arithmetic::bf16);
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
  CHECK(short_kernel_name("Memcpy HtoD (Pageable -> Device)") == "Memcpy HtoD (Pageable -> Device)");
}

}  // namespace
