// What a device refuses is refused here too.
#include <ATen/ATen.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAFunctions.h>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "held_stream.hpp"
#include <cstdint>
#include <deque>
#include <string>

namespace {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;

const auto on_device = at::TensorOptions().device(at::kCUDA);
const auto names_the_devices =
    MessageMatches(ContainsSubstring("Expected all tensors to be on the same device"));

TEST_CASE("a tensor of the host among a device's is refused", "[stand_in][operators]") {
  const auto x = at::rand({4, 4}, on_device);
  const auto host = at::rand({4, 4});
  const auto rows = at::arange(4, at::kLong);
  CHECK_THROWS_MATCHES(x + host, c10::Error, names_the_devices);
  CHECK_THROWS_MATCHES(at::mm(x, host), c10::Error, names_the_devices);
  CHECK_THROWS_MATCHES(x.index_select(0, rows), c10::Error, names_the_devices);
  CHECK_THROWS_MATCHES(at::cat({x, host}), c10::Error, names_the_devices);
  CHECK_THROWS_MATCHES(at::zeros({4, 4}).add_(x), c10::Error, names_the_devices);
  CHECK_THROWS_MATCHES(at::where(x > 0, x, host), c10::Error, names_the_devices);
  CHECK_THROWS_MATCHES(host * at::ones({}, on_device), c10::Error, names_the_devices);
}

TEST_CASE("a number of the host, indices to copy and copies themselves are not", "[stand_in][operators]") {
  const auto x = at::ones({4, 4}, on_device);
  const auto rows = at::arange(3, at::kLong);
  CHECK((x + at::scalar_tensor(2.0)).sum().item<float>() == 48);
  CHECK(x.mul(3).sum().item<float>() == 48);
  CHECK(x.index({rows}).sum().item<float>() == 12);
  CHECK(x.clone().index_put_({rows}, at::scalar_tensor(0.0)).sum().item<float>() == 4);
  CHECK(x.clone().copy_(at::zeros({4, 4})).sum().item<float>() == 0);
  const auto target = x.clone();
  at::_foreach_copy_({target}, {at::zeros({4, 4})});
  CHECK(target.sum().item<float>() == 0);
}

TEST_CASE("a wrong shape is an exception of the call, and the device stays usable", "[stand_in][operators]") {
  const auto x = at::rand({4, 4}, on_device);
  CHECK_THROWS_AS(at::mm(x, at::rand({5, 4}, on_device)), c10::Error);
  CHECK_THROWS_AS(x.clone().add_(at::rand({3, 4}, on_device)), c10::Error);
  CHECK_THROWS_AS(x.clone().index_add_(0, at::arange(3, on_device.dtype(at::kLong)), x), c10::Error);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
}

// LibTorch then asks NVML for the device by its address on the bus, and fails otherwise where it is not
// found.
TEST_CASE("a tensor larger than the device is out of memory, and the device stays usable",
          "[stand_in][operators]") {
  constexpr std::int64_t more_than_there_is = std::int64_t{1} << 40;
  CHECK_THROWS_AS(at::empty({more_than_there_is}, on_device), c10::OutOfMemoryError);
  CHECK(at::ones({4}, on_device).sum().item<float>() == 4);
}

/// Reached to the end of the process and never freed: LibTorch's deleter would meet the error, which lasts.
const at::Tensor& kept(const at::Tensor& tensor) {
  static auto& all = *new std::deque<at::Tensor>;
  return all.emplace_back(tensor);
}

TEST_CASE("an index out of range fails on the device and sticks", "[stand_in][operators][alone]") {
  const auto& x = kept(at::rand({4, 4}, on_device));
  const auto& rows = kept(at::full({2}, 4, on_device.dtype(at::kLong)));
  {
    const stand_in::operators::HeldStream held(nullptr);  // or a later call of index_select meets the error
    const auto& taken = kept(x.index_select(0, rows));
    CHECK(taken.numel() == 8);
  }
  CHECK(cudaDeviceSynchronize() == cudaErrorAssert);
  CHECK(cudaDeviceSynchronize() == cudaErrorAssert);
}

}  // namespace
