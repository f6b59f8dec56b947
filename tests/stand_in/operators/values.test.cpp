// Operators of a device give what those of the host give.
#include "harness/libtorch/precision.hpp"

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/autocast_mode.h>
#include <ATen/cuda/CUDAGeneratorImpl.h>
#include <c10/cuda/CUDAGuard.h>
#include <catch2/catch_test_macros.hpp>

#include <functional>
#include <vector>

namespace {

using at::Tensor;

const auto on_device = at::TensorOptions().device(at::kCUDA);

/// The work's result on both sides, from the same numbers.
void check_same(const std::function<Tensor(const Tensor&)>& work, double tolerance = 0) {
  const auto x = at::linspace(-2, 3, 48).view({8, 6});
  const auto device = work(x.to(at::kCUDA));
  REQUIRE(device.is_cuda());
  const auto host = work(x);
  REQUIRE(device.sizes().equals(host.sizes()));
  const auto difference = (device.to(at::kCPU).to(at::kFloat) - host.to(at::kFloat)).abs().max();
  CAPTURE(host.sizes());
  CHECK(difference.item<double>() <= tolerance * host.abs().max().item<double>());
}

TEST_CASE("dense operators, views, results of another type and of another order", "[stand_in][operators]") {
  check_same([](const Tensor& x) { return x.t().contiguous(); });
  check_same([](const Tensor& x) { return x.to(at::kBFloat16) + 1; });
  check_same([](const Tensor& x) { return std::get<0>(at::cat({x, x.flip(0)}).topk(2)); });
  check_same([](const Tensor& x) { return x.index({x > 0}); });
  check_same([](const Tensor& x) { return (x > 1).nonzero(); });
  check_same([](const Tensor& x) { return std::get<0>(at::_unique2(x.round())); });
  check_same([](const Tensor& x) {
    auto out = at::empty({0}, x.options());
    return at::add_out(out, x, x);
  });
  check_same([](const Tensor& x) { return at::_foreach_add({x, x}, 2)[1]; });
  check_same([](const Tensor& x) { return x.narrow(1, 2, 3).copy_(x.narrow(1, 0, 3).to(at::kDouble)); });
}

TEST_CASE("layers and what a training step is made of", "[stand_in][operators]") {
  check_same(
      [](const Tensor& x) { return at::conv2d(x.view({1, 1, 8, 6}), at::ones({2, 1, 3, 3}, x.options())); });
  check_same([](const Tensor& x) { return at::layer_norm(x, {6}); });
  check_same(
      [](const Tensor& x) {
        return at::scaled_dot_product_attention(x.view({1, 1, 8, 6}), x.view({1, 1, 8, 6}),
                                                x.view({1, 1, 8, 6}));
      },
      1e-6);
  check_same(
      [](const Tensor& x) {
        const auto parameter = x.clone(), gradient = x.cos(), first = at::zeros_like(x),
                   second = at::zeros_like(x);
        const auto step = at::ones({}, x.options());  // the first one
        at::_fused_adam_({parameter}, {gradient}, {first}, {second}, {}, {step}, 0.1, 0.9, 0.99, 0.0, 1e-8,
                         false, false);
        return parameter;
      },
      1e-6);
}

TEST_CASE("gradients come from the device's own thread and are those of the host", "[stand_in][operators]") {
  check_same(
      [](const Tensor& given) {
        const auto x = given.clone().requires_grad_();
        at::mm(x.tanh(), x.t()).softmax(1).norm().backward();
        return x.grad();
      },
      1e-6);
}

TEST_CASE("sparse matrices: products, coalescing, a change in place", "[stand_in][operators]") {
  const auto sparse = [](const Tensor& x) { return x.relu().to_sparse(); };
  check_same([&](const Tensor& x) { return at::mm(sparse(x), x.t()); }, 1e-6);
  check_same([&](const Tensor& x) { return at::mm(sparse(x), sparse(x.t())).to_dense(); }, 1e-6);
  check_same([&](const Tensor& x) { return at::cat({sparse(x), sparse(x)}).coalesce().to_dense(); });
  check_same([&](const Tensor& x) { return sparse(x).add_(sparse(x)).to_dense(); });
  check_same([&](const Tensor& x) { return x.relu().to_sparse_csr().matmul(x.t()); }, 1e-6);
}

/// The bits of FP32 arithmetic on the same halves, rounded once.
void check_rounded_once(const std::function<Tensor(const Tensor&, const Tensor&)>& work) {
  const auto a = at::linspace(0, 1, 64 * 600).view({64, 600}).to(at::kHalf);
  const auto b = at::linspace(1, 3, 600 * 8).view({600, 8}).to(at::kHalf);
  const auto device = work(a.to(at::kCUDA), b.to(at::kCUDA));
  REQUIRE(device.scalar_type() == at::kHalf);
  CHECK(at::equal(device.to(at::kCPU), work(a.to(at::kFloat), b.to(at::kFloat)).to(at::kHalf)));
}

TEST_CASE("products and convolutions of FP16 numbers are worked out in FP32 and rounded at the end",
          "[stand_in][operators]") {
  check_rounded_once([](const Tensor& a, const Tensor& b) { return at::mm(a, b); });
  check_rounded_once([](const Tensor& a, const Tensor& b) { return at::addmm(b.narrow(0, 0, 64), a, b); });
  check_rounded_once(
      [](const Tensor& a, const Tensor& b) { return at::bmm(a.unsqueeze(0), b.unsqueeze(0)); });
  check_rounded_once([](const Tensor& a, const Tensor& b) {
    return at::conv1d(a.unsqueeze(0), b.narrow(0, 0, 64).view({8, 64, 1}));
  });
}

TEST_CASE("autocast chooses the type of a device's operators, too", "[stand_in][operators]") {
  const auto x = at::rand({8, 8}, on_device);
  const harness::Autocast cast(at::kCUDA, at::kBFloat16);
  const auto product = at::mm(x, x);
  CHECK(product.scalar_type() == at::kBFloat16);
  CHECK(product.softmax(1).scalar_type() == at::kFloat);
}

TEST_CASE("a device's random numbers follow its generator and leave the host's alone",
          "[stand_in][operators]") {
  const auto reseed = [] { at::Generator(at::cuda::detail::getDefaultCUDAGenerator()).set_current_seed(7); };
  const auto host = at::detail::getDefaultCPUGenerator().get_state();
  reseed();
  const auto first = at::rand({64}, on_device);
  const auto kept = std::get<0>(at::native_dropout(at::ones({64}, on_device), 0.5, true));
  reseed();
  CHECK(at::equal(at::rand({64}, on_device), first));
  CHECK(at::equal(std::get<0>(at::native_dropout(at::ones({64}, on_device), 0.5, true)), kept));
  CHECK_FALSE(at::equal(at::rand({64}, on_device), first));
  c10::cuda::device_synchronize();
  CHECK(at::equal(at::detail::getDefaultCPUGenerator().get_state(), host));
}

}  // namespace
