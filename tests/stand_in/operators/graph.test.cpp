// Operators in a captured graph.
#include "harness/libtorch/torch_graph.hpp"

#include <ATen/ATen.h>
#include <ATen/cuda/CUDAGeneratorImpl.h>
#include <c10/cuda/CUDAGuard.h>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <string>

namespace {

using at::Tensor;

const auto on_device = at::TensorOptions().device(at::kCUDA);

struct SideStream {
  c10::cuda::CUDAStreamGuard guard{c10::cuda::getStreamFromPool()};
};

TEST_CASE("a graph's operators run anew on what lies in memory at each replay", "[stand_in][operators]") {
  const SideStream side;
  const auto x = at::ones({4, 3}, on_device);
  const auto weights = at::ones({3, 2}, on_device);
  Tensor out;
  const auto graph = harness::captured([&] { out = at::mm(x, weights).relu().sum(); });
  for (const double value : {1.0, -1.0, 2.0}) {
    x.fill_(value);
    graph->replay();
    CHECK(out.item<double>() == (value > 0 ? 24 * value : 0));
  }
}

TEST_CASE("what is captured does not run before the replay", "[stand_in][operators]") {
  const SideStream side;
  const auto count = at::zeros({}, on_device);
  const auto graph = harness::captured([&] { count.add_(1); }, [] {});
  CHECK(count.item<float>() == 0);
  graph->replay();
  graph->replay();
  CHECK(count.item<float>() == 2);
}

TEST_CASE("each replay draws other random numbers, and a seed repeats them", "[stand_in][operators]") {
  const SideStream side;
  Tensor drawn;
  const auto graph = harness::captured([&] { drawn = at::rand({16}, on_device); });
  const auto draw = [&] {
    graph->replay();
    return drawn.to(at::kCPU);
  };
  const auto reseed = [] { at::Generator(at::cuda::detail::getDefaultCUDAGenerator()).set_current_seed(5); };
  reseed();
  const auto first = draw();
  const auto second = draw();
  reseed();
  CHECK_FALSE(at::equal(first, second));
  CHECK(at::equal(draw(), first));
  CHECK(at::equal(draw(), second));
}

/// In a process each: a capture that failed leaves LibTorch's generator behind in it.
template <class Work>
void check_forbidden(const Work& work) {
  const SideStream side;
  const auto x = at::ones({4}, on_device);
  CHECK_THROWS_MATCHES(harness::captured([&] { work(x); }, [] {}), c10::Error,
                       Catch::Matchers::MessageMatches(Catch::Matchers::ContainsSubstring("captur")));
}

TEST_CASE("nonzero fails in a capture instead of being recorded", "[stand_in][operators][alone]") {
  check_forbidden([](const Tensor& x) { x.nonzero(); });
}

TEST_CASE("an index by a mask fails in a capture", "[stand_in][operators][alone]") {
  check_forbidden([](const Tensor& x) { x.index({x > 0}); });
}

TEST_CASE("item fails in a capture", "[stand_in][operators][alone]") {
  check_forbidden([](const Tensor& x) { x.sum().item(); });
}

}  // namespace
