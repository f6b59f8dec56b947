#include "microbench/dataload/transforms.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <vector>

namespace {

using namespace microbench;

TEST_CASE("the nearest neighbours of points on a line are the points beside them", "[dataload]") {
  const auto points =
      at::arange(5, at::TensorOptions().dtype(at::kFloat)).square().view({5, 1});  // 0 1 4 9 16
  const auto found = nearest(points, 1).flatten();
  const std::vector<std::int64_t> expected{1, 0, 1, 2, 3};
  for (std::int64_t i = 0; i < 5; ++i)
    CHECK(found[i].item<std::int64_t>() == expected[static_cast<std::size_t>(i)]);
  const std::vector<float> far{1, 1, 3, 5, 7};
  const auto distances = distances_to(points, nearest(points, 1)).flatten();
  for (std::int64_t i = 0; i < 5; ++i) CHECK(distances[i].item<float>() == far[static_cast<std::size_t>(i)]);
}

TEST_CASE("normalized columns have mean 0 and variance 1", "[dataload]") {
  const auto x = normalized(random_features(1000, 3, 7) * 5 + 2);
  CHECK(x.mean(0).abs().max().item<float>() < 1e-5F);
  CHECK((x.square().mean(0) - 1).abs().max().item<float>() < 1e-4F);
}

}  // namespace
