#include "harness/libtorch/precision.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

using namespace harness;

at::Float32Precision precision_now() {
  return at::globalContext().float32Precision(at::Float32Backend::CUDA, at::Float32Op::CONV);
}

TEST_CASE("the precision of convolutions is set and put back", "[cudnn_settings]") {
  const auto before = precision_now();
  {
    const ConvPrecision outer(at::Float32Precision::IEEE);
    CHECK(precision_now() == at::Float32Precision::IEEE);
    {
      const ConvPrecision inner(at::Float32Precision::TF32);
      CHECK(precision_now() == at::Float32Precision::TF32);
    }
    CHECK(precision_now() == at::Float32Precision::IEEE);
  }
  CHECK(precision_now() == before);
}

TEST_CASE("benchmark mode is set and put back", "[cudnn_settings]") {
  const auto before = at::globalContext().benchmarkCuDNN();
  {
    const CudnnBenchmark on(true);
    CHECK(at::globalContext().benchmarkCuDNN());
    const CudnnBenchmark off(false);
    CHECK_FALSE(at::globalContext().benchmarkCuDNN());
  }
  CHECK(at::globalContext().benchmarkCuDNN() == before);
}

}  // namespace
