#include "microbench/format/conv_net.hpp"

#include "harness/core/same_answer.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>

namespace {

using namespace microbench;

constexpr harness::Tolerance rounding{.relative = 1e-2, .why = "another order of sums"};
constexpr ConvShape small{8, 16};

harness::Answer gradient(const ConvNet& net) {
  net.clear();
  net.forget_gradients();
  net.backward(net.forward(/*training=*/true));
  return net.first_gradient();
}

TEST_CASE("a network in channels_last gives the same gradient, and stays in that format", "[conv_net]") {
  const ConvNet net(harness::Setup{}, small, 4, at::kFloat);
  const auto other = net.in_format(at::MemoryFormat::ChannelsLast);
  CHECK(other.forward(/*training=*/false).is_contiguous(at::MemoryFormat::ChannelsLast));
  CHECK_NOTHROW(harness::require_same(gradient(net), gradient(other), rounding));
}

TEST_CASE("a bias before normalization changes the parameters and not the gradient", "[conv_net]") {
  const ConvNet net(harness::Setup{}, small, 4, at::kFloat);
  const auto biased = net.with_bias();
  CHECK(biased.parameters() == net.parameters() + 3 * small.channels);
  CHECK_NOTHROW(harness::require_same(gradient(net), gradient(biased), rounding));
}

TEST_CASE("a copy of a network has gradients of its own", "[conv_net]") {
  const ConvNet net(harness::Setup{}, small, 1, at::kFloat);
  const auto other = net.in_format(at::MemoryFormat::Contiguous);
  gradient(net);
  other.clear();
  CHECK_THROWS_AS(harness::require_same(net.first_gradient(), other.first_gradient(), rounding),
                  harness::Disagreement);
}

}  // namespace
