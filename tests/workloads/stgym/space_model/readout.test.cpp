#include "tests/workloads/stgym/space/numerical_gradient.hpp"
#include "tests/workloads/stgym/space/small_graphs.hpp"

#include "workloads/stgym/space_model/layers.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>

#include <vector>

namespace {

using namespace workloads::stgym;
using space::Readout;

constexpr Readout all_readouts[] = {Readout::mean, Readout::max, Readout::add};

at::Tensor of_rows(Readout readout, const at::Tensor& rows) {
  if (readout == Readout::mean) return rows.mean(0);
  return readout == Readout::max ? rows.amax(0) : rows.sum(0);
}

at::Tensor graph_of(const std::vector<std::int64_t>& sizes) {
  return at::repeat_interleave(at::tensor(sizes, at::kLong));
}

TEST_CASE("a graph's readout is the mean, maximum or sum of its rows, whatever their number", "[space]") {
  const auto x = tests::Numbers(1).signed_numbers({6, 2}) - 2;  // below 0: a maximum that begins at 0 shows
  for (const auto readout : all_readouts)
    for (const auto& sizes : std::vector<std::vector<std::int64_t>>{{1, 3, 2}, {2, 2, 2}}) {
      const auto found = space::read_out(readout, x, graph_of(sizes), sizes);
      std::int64_t first = 0;
      for (std::size_t b = 0; b < sizes.size(); ++b) {
        CHECK(at::allclose(found[static_cast<std::int64_t>(b)],
                           of_rows(readout, x.narrow(0, first, sizes[b]))));
        first += sizes[b];
      }
    }
}

TEST_CASE("a readout's gradients are the numerical ones", "[space]") {
  const auto x = tests::Numbers(1).signed_numbers({6, 2}).set_requires_grad(true);
  const auto mix = tests::Numbers(2).signed_numbers({3, 2});
  for (const auto readout : all_readouts)
    for (const auto& sizes : std::vector<std::vector<std::int64_t>>{{1, 3, 2}, {2, 2, 2}}) {
      const auto loss = [&] { return (space::read_out(readout, x, graph_of(sizes), sizes) * mix).sum(); };
      CHECK(tests::gradient_error(loss, {x}) < 1e-7);
    }
}

}  // namespace
