#include "workloads/stgym/model/pool_fused.hpp"

#include "workloads/stgym/data/batch.hpp"
#include "workloads/stgym/model/pool_by_segment.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>

#include <functional>
#include <vector>

namespace {

using namespace workloads::stgym;

/// Three graphs of 5, 1 and 7 nodes, edges in one direction only, one of them between two graphs, weights of
/// all kinds; widths that no vector register divides.
PoolSumsInput odd_input(at::ScalarType type, at::Device device = at::kCPU) {
  at::manual_seed(3);
  const auto edges = at::tensor({0, 1, 2, 4, 5, 7, 9, 12, 1, 0, 3, 4, 9, 8, 12, 6}, at::kLong).view({2, 8});
  const auto weights = at::rand({8}, at::kFloat) + 0.5;
  const auto graph_of = at::tensor({0, 0, 0, 0, 0, 1, 2, 2, 2, 2, 2, 2, 2}, at::kLong);
  return {at::randn({13, 11}, type).to(device),
          at::randn({13, 5}, type).to(device),
          at::sparse_coo_tensor(edges, weights, {13, 13}).coalesce().to(device),
          graph_of.to(device),
          3,
          2};
}

/// A number that depends on each output in a way of its own.
at::Tensor mixed(const PoolSums& sums) {
  const auto weigh = [](const at::Tensor& t) {
    return (t * at::arange(1, t.numel() + 1, t.options()).view(t.sizes()).sin()).sum();
  };
  return weigh(sums.s) + 2 * sums.inside - 3 * sums.ends + weigh(sums.ss) + weigh(sums.sh);
}

/// Central differences of `of` by each entry of `by`, which it changes and puts back.
at::Tensor numerical(const at::Tensor& by, const std::function<double()>& of) {
  constexpr double step = 1e-5;
  const auto gradient = at::zeros_like(by);
  auto* values = by.data_ptr<double>();
  for (std::int64_t i = 0; i < by.numel(); ++i) {
    const auto value = values[i];
    values[i] = value + step;
    const auto above = of();
    values[i] = value - step;
    gradient.data_ptr<double>()[i] = (above - of()) / (2 * step);
    values[i] = value;
  }
  return gradient;
}

double distance(const at::Tensor& a, const at::Tensor& b) {
  return ((a - b).abs().max() / b.abs().max()).item<double>();
}

TEST_CASE("the pooling kernel's gradients are the numerical ones in double precision", "[stgym]") {
  for (const int softmaxes : {1, 2}) {
    INFO(softmaxes);
    auto in = odd_input(at::kDouble);
    in.softmaxes = softmaxes;
    const auto value = [&] { return mixed(pool_sums(in)).item<double>(); };
    const auto by_h = numerical(in.h, value);
    const auto by_logits = numerical(in.logits, value);
    in.h.set_requires_grad(true);
    in.logits.set_requires_grad(true);
    mixed(pool_sums(in)).backward();
    CHECK(distance(in.h.grad(), by_h) < 1e-8);
    CHECK(distance(in.logits.grad(), by_logits) < 1e-8);
  }
}

TEST_CASE("one precision of the pooling kernel gives what the other gives", "[stgym]") {
  std::vector<at::Tensor> gradients;
  std::vector<at::Tensor> values;
  const auto narrow = odd_input(at::kFloat);
  for (const auto type : {at::kDouble, at::kFloat}) {
    auto in = narrow;
    in.h = narrow.h.to(type).set_requires_grad(true);
    in.logits = narrow.logits.to(type).set_requires_grad(true);
    values.push_back(mixed(pool_sums(in)).to(at::kDouble));
    values.back().backward();
    gradients.push_back(at::cat({in.h.grad(), in.logits.grad()}, 1).to(at::kDouble));
  }
  CHECK(distance(values[1].detach(), values[0].detach()) < 1e-5);
  CHECK(distance(gradients[1], gradients[0]) < 1e-5);
}

TEST_CASE("without features the pooling kernel gives the rest, and the same gradient by the logits",
          "[stgym]") {
  auto with = odd_input(at::kDouble);
  auto without = odd_input(at::kDouble);
  without.h = without.h.narrow(1, 0, 0);
  const auto gradient = [](PoolSumsInput& in) {
    in.logits.set_requires_grad(true);
    const auto sums = pool_sums(in);
    CHECK(sums.sh.size(2) == in.h.size(1));
    mixed({sums.s, sums.inside, sums.ends, sums.ss, at::zeros({1})}).backward();
    return in.logits.grad();
  };
  CHECK(gradient(without).equal(gradient(with)));
}

TEST_CASE("logits far apart leave the pooling kernel's softmax finite", "[stgym]") {
  auto in = odd_input(at::kFloat);
  in.softmaxes = 1;
  in.logits.mul_(200);
  const auto s = pool_sums(in).s;
  CHECK(distance(s, at::softmax(in.logits, -1)) < 1e-6);
}

TEST_CASE("padding behind the last graph is in no sum and passes nothing on", "[stgym]") {
  const auto plain = odd_input(at::kFloat);
  auto padded = plain;
  const auto more = [](const at::Tensor& t) { return at::cat({t, at::full_like(t.narrow(0, 0, 3), 7)}, 0); };
  padded.h = more(plain.h).set_requires_grad(true);
  padded.logits = more(plain.logits).set_requires_grad(true);
  padded.graph_of = at::cat({plain.graph_of, at::full({3}, 3, at::kLong)});
  // Beside the real edges one of weight 0 from a padding node to itself.
  const auto ends = at::cat({plain.adjacency.indices(), at::full({2, 1}, 15, at::kLong)}, 1);
  const auto weights = at::cat({plain.adjacency.values(), at::zeros({1})});
  padded.adjacency = at::sparse_coo_tensor(ends, weights, {16, 16}).coalesce();
  const auto a = pool_sums(plain);
  const auto b = pool_sums(padded);
  CHECK(b.s.narrow(0, 0, 13).equal(a.s));
  for (const auto& [padding, without] :
       {std::pair(b.inside, a.inside), {b.ends, a.ends}, {b.ss, a.ss}, {b.sh, a.sh}})
    CHECK(distance(padding.detach(), without) < 1e-6);
  (b.inside + b.ends + b.ss.sum() + b.sh.sum()).backward();
  CHECK(padded.h.grad().narrow(0, 13, 3).eq(0).all().item<bool>());
  CHECK(padded.logits.grad().narrow(0, 13, 3).abs().max().item<float>() < 1e-7);
}

TEST_CASE("gpu: the pooling kernel gives on a device what it gives on the host", "[stgym][gpu]") {
  if (!at::hasCUDA() || at::getNumGPUs() == 0) SKIP("no CUDA device");
  std::vector<at::Tensor> values, gradients;
  for (const at::Device device : {at::Device(at::kCPU), at::Device(at::kCUDA, 0)}) {
    auto in = odd_input(at::kFloat, device);
    in.h.set_requires_grad(true);
    in.logits.set_requires_grad(true);
    const auto sums = pool_sums(in);
    values.push_back(mixed({sums.s.cpu(), sums.inside.cpu(), sums.ends.cpu(), sums.ss.cpu(), sums.sh.cpu()}));
    values.back().backward();
    gradients.push_back(at::cat({in.h.grad(), in.logits.grad()}, 1).cpu());
  }
  CHECK(distance(values[1].detach(), values[0].detach()) < 1e-5);
  CHECK(distance(gradients[1], gradients[0]) < 1e-5);
}

TEST_CASE("gpu: graphs of any size are summed up whole by the pooling kernel", "[stgym][gpu]") {
  if (!at::hasCUDA() || at::getNumGPUs() == 0) SKIP("no CUDA device");
  at::manual_seed(4);
  const auto sizes = at::tensor({2500, 3, 40}, at::kLong);  // the first is more than all blocks take at once
  const auto none = at::sparse_coo_tensor(at::zeros({2, 0}, at::kLong), at::zeros({0}), {2543, 2543});
  const auto logits = at::randn({2543, 20}, at::kDouble);
  const auto graph_of = at::repeat_interleave(sizes);
  const auto host = pool_sums({at::zeros({2543, 0}, at::kDouble), logits, none.coalesce(), graph_of, 3, 2});
  const at::Device gpu(at::kCUDA, 0);
  const auto device = pool_sums({at::zeros({2543, 0}).to(gpu), logits.to(at::kFloat).to(gpu),
                                 none.coalesce().to(gpu), graph_of.to(gpu), 3, 2});
  CHECK(distance(device.s.cpu(), host.s) < 1e-6);
  CHECK(distance(device.ss.cpu(), host.ss) < 1e-6);
}

}  // namespace
