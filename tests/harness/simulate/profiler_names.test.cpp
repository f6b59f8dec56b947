#include "harness/simulate/cost.hpp"
#include "harness/trace/events.hpp"
#include "harness/trace/kernels.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>

namespace {

using namespace harness;
using namespace harness::simulate;
using trace::KernelKind;

Entry of(const std::string& name, double flop = 0, const std::string& unit = "fp32") {
  return {.name = name, .flop = flop, .unit = unit, .is_operator = true};
}

KernelKind kind(const Entry& entry) { return trace::kernel_kind(profiler_name(entry)); }

TEST_CASE("copies have the profiler's names, with the kind of the host's memory", "[simulate]") {
  const auto copy = [](const char* way, bool pageable) {
    return profiler_name({.does = Entry::Does::copy, .way = way, .pageable = pageable});
  };
  CHECK(copy("h2d", true) == "Memcpy HtoD (Pageable -> Device)");
  CHECK(copy("h2d", false) == "Memcpy HtoD (Pinned -> Device)");
  CHECK(copy("d2h", true) == "Memcpy DtoH (Device -> Pageable)");
  CHECK(copy("d2h", false) == "Memcpy DtoH (Device -> Pinned)");
  CHECK(copy("d2d", false) == "Memcpy DtoD (Device -> Device)");
}

TEST_CASE("diagnose knows the kinds of operators' kernels by the names that they get", "[simulate]") {
  CHECK(kind(of("aten::mm", 1e9)) == KernelKind::matrix_product);
  CHECK(kind(of("aten::convolution", 1e9)) == KernelKind::convolution);
  CHECK(kind(of("aten::convolution_backward")) == KernelKind::convolution);
  CHECK(kind(of("aten::add.Tensor")) == KernelKind::pointwise);
  CHECK(kind(of("aten::native_batch_norm")) == KernelKind::normalization);
  CHECK(kind(of("aten::index.Tensor")) == KernelKind::indexing);
  CHECK(kind(of("aten::cat")) == KernelKind::indexing);
  auto mean = of("aten::mean.out");
  mean.reduction = true;
  CHECK(kind(mean) == KernelKind::reduction);
}

TEST_CASE("diagnose knows the type of a product by its name", "[simulate]") {
  const auto type = [](const char* unit, const char* name) {
    return trace::kernel_arithmetic(profiler_name(of(name, 1e9, unit)));
  };
  for (const auto* name : {"aten::mm", "aten::convolution"}) {
    CHECK(type("fp32", name) == trace::Arithmetic::fp32);
    CHECK(type("tf32", name) == trace::Arithmetic::tf32);
    CHECK(type("fp16", name) == trace::Arithmetic::fp16);
  }
}

TEST_CASE("a kernel that is no operator's keeps its name", "[simulate]") {
  CHECK(profiler_name({.name = "queue_work"}) == "queue_work");
  CHECK(profiler_name({.name = "cudaMemsetAsync"}) == "Memset (Device)");
}

}  // namespace
