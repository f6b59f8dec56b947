// Operators on the second of two devices (STAND_IN_PROFILE=two) while the first one is current.
#include "tests/stand_in/operators/held_stream.hpp"

#include <ATen/ATen.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <catch2/catch_test_macros.hpp>

namespace {

using stand_in::operators::HeldStream;

const at::Device second(at::kCUDA, 1);
const auto on_first = at::TensorOptions().device(at::Device(at::kCUDA, 0));
const auto on_second = at::TensorOptions().device(second);

TEST_CASE("an operator runs on its tensors' device and on that device's stream", "[stand_in][two]") {
  const auto side = c10::cuda::getStreamFromPool(false, 1);
  const auto x = at::ones({8}, on_second);
  c10::cuda::getDefaultCUDAStream(1).synchronize();  // the side stream waits for no other
  c10::cuda::setCurrentCUDAStream(side);
  REQUIRE(c10::cuda::current_device() == 0);
  HeldStream held(side.stream());
  const auto sum = (x + 1).sum();
  CHECK(sum.device() == second);
  CHECK_FALSE(side.query());
  held.release();
  CHECK(sum.item<float>() == 16);
  CHECK(c10::cuda::current_device() == 0);
}

TEST_CASE("a copy to another device may convert and reorder", "[stand_in][two]") {
  const auto x = at::arange(6, on_first.dtype(at::kFloat)).view({2, 3});
  const auto there = at::zeros({3, 2}, on_second.dtype(at::kDouble));
  there.copy_(x.t());
  CHECK(at::equal(there.to(at::kCPU), x.to(at::kCPU).t().to(at::kDouble)));
  CHECK(at::equal(x.to(second).to(at::kCPU), x.to(at::kCPU)));
}

TEST_CASE("tensors of two devices are refused", "[stand_in][two]") {
  CHECK_THROWS_AS(at::ones({2}, on_first) + at::ones({2}, on_second), c10::Error);
  CHECK_THROWS_AS(at::mm(at::ones({2, 2}, on_second), at::ones({2, 2}, on_first)), c10::Error);
}

}  // namespace
