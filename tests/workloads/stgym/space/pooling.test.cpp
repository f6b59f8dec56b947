#include "workloads/stgym/model/pooling.hpp"

#include "tests/workloads/stgym/space/numerical_gradient.hpp"
#include "tests/workloads/stgym/space/small_graphs.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <vector>

namespace {

using namespace workloads::stgym;

constexpr PoolingKind both_kinds[] = {PoolingKind::mincut, PoolingKind::dmon};

/// The slow form, the last published one, the one without the sparse matrix.
std::vector<Switches> forms() { return {{}, with(last_published), with(&Switches::segment_pooling)}; }

struct Example {
  explicit Example(std::vector<std::int64_t> sizes)
      : batch(tests::rings(sizes, 4, false)),
        weights(tests::Numbers(7).weights({batch.edges.size(1)}).set_requires_grad(true)),
        h(batch.x.set_requires_grad(true)),
        s(tests::Numbers(8).signed_numbers({batch.x.size(0), 3}).set_requires_grad(true)) {}

  /// `s` as the model gives it: for MinCut softmaxed once.
  Pooled pool(PoolingKind kind, const Switches& switches) const {
    const auto n = batch.x.size(0);
    const auto adjacency = at::sparse_coo_tensor(batch.edges, weights, {n, n}).coalesce();
    const auto given = kind == PoolingKind::mincut ? at::softmax(s, -1) : s;
    HostIndices host;
    return workloads::stgym::pool({h, given, adjacency, batch.graph_of, batch.sizes, kind}, switches, host);
  }

  Batch batch;
  at::Tensor weights, h, s;
};

std::vector<at::Tensor> losses_of(const Pooled& out) {
  std::vector<at::Tensor> losses;
  for (const auto& loss : {out.mincut_loss, out.spectral_loss, out.cluster_loss, out.ortho_loss})
    if (loss.defined()) losses.push_back(loss);
  return losses;
}

TEST_CASE("a pooling's gradients are the numerical ones, those of edge weights too, in every form",
          "[space]") {
  // One graph has a single node and no edge: its pooled graph has none either, and still has derivatives.
  const Example example({5, 1, 3});
  tests::Numbers numbers(9);
  const auto mix_x = numbers.signed_numbers({9, 4});
  const auto mix_adj = numbers.signed_numbers({9, 9});
  for (const auto kind : both_kinds)
    for (const auto& switches : forms()) {
      INFO(static_cast<int>(kind) << (switches.segment_pooling ? " by segment" : ""));
      const auto loss = [&] {
        const auto out = example.pool(kind, switches);
        const auto read = mix_adj.index({out.edges[0], out.edges[1]});
        return at::stack(losses_of(out)).sum() + (out.out_x * mix_x).sum() + (out.weights * read).sum();
      };
      CHECK(tests::gradient_error(loss, {example.h, example.s, example.weights}) < 1e-6);
    }
}

TEST_CASE("slow and fast poolings give the same losses and the same pooled graph", "[space]") {
  const Example example({6, 1, 4});
  for (const auto kind : both_kinds) {
    const auto slow = example.pool(kind, {});
    for (const auto& switches : forms()) {
      const auto fast = example.pool(kind, switches);
      CHECK(at::allclose(at::stack(losses_of(fast)), at::stack(losses_of(slow)), 1e-6, 1e-9));
      CHECK(at::allclose(fast.out_x, slow.out_x, 1e-9, 1e-12));
      CHECK(fast.edges.equal(slow.edges));
      CHECK(at::allclose(fast.weights, slow.weights, 1e-9, 1e-12));
      CHECK(fast.out_batch.equal(slow.out_batch));
    }
  }
}

TEST_CASE("DMoN's losses are those of the formula, graph by graph", "[space]") {
  const Example example({6, 4});
  const auto s = at::softmax(example.s, -1).detach();
  const auto n = example.batch.x.size(0);
  const auto a = at::sparse_coo_tensor(example.batch.edges, example.weights.detach(), {n, n}).to_dense();
  double spectral = 0;
  double cluster = 0;
  for (const auto& [first, size] : {std::pair<std::int64_t, std::int64_t>{0, 6}, {6, 4}}) {
    const auto c = s.narrow(0, first, size);
    const auto own = a.narrow(0, first, size).narrow(1, first, size);
    const auto ends = own.sum().item<double>();
    const auto inside = at::matmul(at::matmul(c.t(), own), c).trace().item<double>();
    const auto expected = at::matmul(c.t(), own.sum(0)).square().sum().item<double>();
    spectral -= (inside / ends - expected / (ends * ends)) / 2;
    cluster += (c.sum(0).norm().item<double>() / static_cast<double>(size) * std::sqrt(3.0) - 1) / 2;
  }
  for (const auto& switches : forms()) {
    const auto out = example.pool(PoolingKind::dmon, switches);
    CHECK(std::abs(out.spectral_loss.item<double>() - spectral) < 1e-12);
    CHECK(std::abs(out.cluster_loss.item<double>() - cluster) < 1e-12);
  }
}

TEST_CASE("DMoN sums up the features by the assignment as it was before the softmax", "[space]") {
  const Example example({6, 4});
  const auto first = at::matmul(example.s.narrow(0, 0, 6).t(), example.h.narrow(0, 0, 6));
  for (const auto& switches : forms())
    CHECK(at::allclose(example.pool(PoolingKind::dmon, switches).out_x.narrow(0, 0, 3), first, 1e-12, 1e-12));
}

TEST_CASE("a graph without edges adds nothing to DMoN's spectral loss", "[space]") {
  for (const auto& switches : forms()) {
    const auto with_it = Example({5, 1}).pool(PoolingKind::dmon, switches).spectral_loss.item<double>();
    // Half the weight of the graph that has edges: the mean is over two graphs.
    const Example both({5, 1});
    const auto s = at::softmax(both.s, -1).detach();
    const auto a = at::sparse_coo_tensor(both.batch.edges, both.weights.detach(), {6, 6}).to_dense();
    const auto ends = a.sum().item<double>();
    const auto inside = at::matmul(at::matmul(s.t(), a), s).trace().item<double>();
    const auto expected = at::matmul(s.t(), a.sum(0)).square().sum().item<double>();
    CHECK(std::abs(with_it + (inside / ends - expected / (ends * ends)) / 2) < 1e-12);
  }
}

}  // namespace
