// Each threshold of the findings about the optimizer on a device from both sides.
#include "tests/harness/trace/one_step.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

using namespace harness;
using namespace harness::trace;
using tests::found;
using tests::one_step;
using tests::Story;

TEST_CASE("an optimizer is reported from a quarter of the device's time on", "[trace][findings]") {
  const auto stepping = [](double us) {
    return one_step([us](Story& story) {
      story.named("Optimizer.step#Adam.step", [&] { story.kernels("multi_tensor_apply_kernel", 1, us); });
    });
  };
  REQUIRE(found(stepping(25'100), "optimizer_share") != nullptr);
  CHECK(found(stepping(25'100), "optimizer_share")->severity == Severity::medium);
  CHECK(found(stepping(50'100), "optimizer_share")->severity == Severity::high);
  CHECK(found(stepping(24'800), "optimizer_share") == nullptr);
}

TEST_CASE("a closure's forward and backward passes are not the optimizer's", "[trace][findings]") {
  const auto closure = [](const char* pass) {
    return one_step([=](Story& story) {
      story.named("Optimizer.step#LBFGS.step",
                  [&] { story.within(pass, "", [&] { story.kernels(tests::gemm, 120, 500); }); });
    });
  };
  CHECK(found(closure("aten::mm"), "optimizer_share") != nullptr);
  CHECK(found(closure("aten::mm"), "optimizer_per_tensor") != nullptr);
  const auto trained = closure("autograd::engine::evaluate_function: MmBackward0");
  CHECK(found(trained, "optimizer_share") == nullptr);
  CHECK(found(trained, "optimizer_per_tensor") == nullptr);
}

TEST_CASE("an optimizer of a hundred kernels a call goes parameter by parameter", "[trace][findings]") {
  const auto optimizer = [](int count, const char* kernel) {
    return one_step([=](Story& story) {
      story.named("Optimizer.step#SGD.step", [&] { story.kernels(kernel, count, 50); });
    });
  };
  CHECK(found(optimizer(100, tests::pointwise), "optimizer_per_tensor") != nullptr);
  CHECK(found(optimizer(99, tests::pointwise), "optimizer_per_tensor") == nullptr);
  CHECK(found(optimizer(100, "void multi_tensor_apply_kernel<TensorListMetadata<4>>"),
              "optimizer_per_tensor") == nullptr);
}

TEST_CASE("gradients that are set to zero launch kernels, those set to none do not", "[trace][findings]") {
  const auto zeroing = [](double us) {
    return one_step([us](Story& story) {
      story.named("Optimizer.zero_grad#Adam.zero_grad", [&] {
        if (us > 0) story.kernels(tests::pointwise, 1, us);
      });
    });
  };
  CHECK(found(zeroing(2500), "zero_grad_fills") != nullptr);
  CHECK(found(zeroing(0), "zero_grad_fills") == nullptr);
}

}  // namespace
