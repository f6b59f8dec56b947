#include "workloads/stgym/data/synthetic.hpp"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace {

using namespace workloads::stgym;

constexpr double tiny = 1.0 / 500;

bool same(const Dataset& a, const Dataset& b) {
  return a.x.equal(b.x) && a.position.equal(b.position) && a.y.equal(b.y) && a.offsets == b.offsets;
}

/// FNV-1a of a tensor's bytes.
std::uint64_t hash(const at::Tensor& tensor) {
  std::uint64_t result = 0xcbf29ce484222325U;
  const auto* bytes = static_cast<const unsigned char*>(tensor.const_data_ptr());
  for (std::size_t i = 0; i < tensor.nbytes(); ++i) result = (result ^ bytes[i]) * 0x100000001b3U;
  return result;
}

/// The larger of the extents in x and y.
float span_of(const Dataset& data, std::int64_t graph) {
  const auto* at = data.position.const_data_ptr<float>() + 2 * data.offsets[static_cast<std::size_t>(graph)];
  std::vector<float> xy[2];
  for (std::int64_t i = 0; i < 2 * data.nodes(graph); ++i) xy[i % 2].push_back(at[i]);
  const auto extent = [](const auto& v) { return std::ranges::max(v) - std::ranges::min(v); };
  return std::max(extent(xy[0]), extent(xy[1]));
}

}  // namespace

TEST_CASE("at full size the graphs have the published number, sum and maximum of nodes") {
  const auto sizes = synthetic_sizes(1);
  CHECK(sizes.size() == 159);
  CHECK(std::reduce(sizes.begin(), sizes.end()) == 714'331);
  CHECK(std::ranges::max(sizes) == 14'683);
}

TEST_CASE("an eighth of the size gives about 8,976 nodes for 16 graphs") {
  const auto sizes = synthetic_sizes(1.0 / 8);
  CHECK_THAT(16.0 * static_cast<double>(std::reduce(sizes.begin(), sizes.end())) / 159,
             Catch::Matchers::WithinRel(8976.0, 0.001));
}

TEST_CASE("the smallest scale leaves every graph a few nodes") {
  CHECK(std::ranges::min(synthetic_sizes(1e-9)) == 8);
}

TEST_CASE("graphs, features and classes do not depend on the scale") {
  const auto data = make_synthetic(tiny, 1);
  CHECK(data.graphs() == 159);
  CHECK(data.features() == 2000);
  CHECK(data.classes == 39);
}

TEST_CASE("the spans lie between the published ones and attain both") {
  for (const auto seed : {1U, 2U}) {
    const auto data = make_synthetic(tiny, seed);
    std::vector<float> spans;
    for (std::int64_t graph = 0; graph < data.graphs(); ++graph) spans.push_back(span_of(data, graph));
    CHECK(std::ranges::min(spans) == 22.807724F);
    CHECK(std::ranges::max(spans) == 31.392605F);
  }
}

TEST_CASE("features are never negative and mostly zero") {
  const auto x = make_synthetic(tiny, 1).x;
  CHECK(x.min().item<float>() == 0);
  CHECK(x.eq(0).to(at::kFloat).mean().item<float>() > 0.8F);
  CHECK(x.max().item<float>() < 4);
  CHECK(x.sum(1).min().item<float>() > 0);
}

TEST_CASE("every label is a class, and classes are unevenly frequent") {
  const auto data = make_synthetic(1.0 / 64, 1);
  CHECK(data.y.min().item<std::int64_t>() == 0);
  CHECK(data.y.max().item<std::int64_t>() == 38);
  const auto count = at::bincount(data.y, {}, 39);
  CHECK(count.min().item<std::int64_t>() > 0);
  CHECK(count.max().item<std::int64_t>() > 10 * count.min().item<std::int64_t>());
}

TEST_CASE("the class can be learnt: means of one half of the graphs tell the classes of the other half") {
  const auto data = make_synthetic(1.0 / 64, 1);
  const auto half = data.offsets[80];
  const auto x = data.x.narrow(0, 0, half);
  const auto y = data.y.narrow(0, 0, half);
  const auto count = at::bincount(y, {}, 39).to(at::kFloat).clamp_min(1).unsqueeze(1);
  const auto mean = at::zeros({39, data.features()}).index_add_(0, y, x) / count;
  const auto rest = data.x.narrow(0, half, data.nodes() - half);
  const auto nearest = (rest.mm(mean.t()) - mean.square().sum(1) / 2).argmax(1);
  CHECK(nearest.eq(data.y.narrow(0, half, data.nodes() - half)).to(at::kFloat).mean().item<float>() > 0.9F);
}

TEST_CASE("one seed gives the same bits, another seed others") {
  const auto data = make_synthetic(tiny, 1);
  CHECK(same(data, make_synthetic(tiny, 1)));
  CHECK_FALSE(data.x.equal(make_synthetic(tiny, 2).x));
}

TEST_CASE("the number of threads changes no bit") {
  const auto before = at::get_num_threads();
  at::set_num_threads(1);
  const auto one = make_synthetic(tiny, 1);
  at::set_num_threads(3);
  const auto three = make_synthetic(tiny, 1);
  at::set_num_threads(before);
  CHECK(same(one, three));
}

TEST_CASE("the bits are those written down here, on every machine") {
  const auto data = make_synthetic(tiny, 1);
  CHECK(hash(data.x) == 0x31aed64367f33ad3U);
  CHECK(hash(data.position) == 0x920a821f27bf2a9cU);
  CHECK(hash(data.y) == 0x76d9809f6b732641U);
}
