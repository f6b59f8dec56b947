#include "workloads/sage/batch_feed.hpp"

#include "tests/workloads/sage/small_graph.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>

#include <set>
#include <stdexcept>
#include <vector>

namespace {

using namespace workloads::sage;

std::vector<Order> orders(const Job& job, std::int64_t count) {
  std::vector<Order> all;
  for (std::int64_t i = 0; i < count; ++i) all.push_back({{1, 5, 9, 200}, batch_seed(job.seed, 0, i)});
  return all;
}

std::vector<Batch> batches(const Switches& switches, int workers) {
  const auto job = small_graph::job();
  const Feed feed(job.graph, job.fan_outs, switches, job.device);
  Feeding feeding(feed, switches, {.workers = workers}, job.device, orders(job, 8));
  std::vector<Batch> all;
  for (int i = 0; i < 8; ++i) all.push_back(feeding.next());
  CHECK_THROWS_AS(feeding.next(), std::out_of_range);
  return all;
}

bool same(const at::Tensor& a, const at::Tensor& b) {
  return a.defined() == b.defined() && (!a.defined() || at::equal(a, b));
}

TEST_CASE("workers draw the samples that the loop draws", "[feed]") {
  for (const auto& switches :
       {Switches{}, Switches{.csr_aggregate = true}, Switches{.gather_in_workers = true}}) {
    const auto own = batches(switches, 0), others = batches(switches, 3);
    for (std::size_t i = 0; i < own.size(); ++i) {
      CHECK(same(own[i].graph.sources, others[i].graph.sources));
      CHECK(same(own[i].graph.targets, others[i].graph.targets));
      CHECK(same(own[i].graph.offsets, others[i].graph.offsets));
      CHECK(same(own[i].features, others[i].features));
      CHECK(same(own[i].labels, others[i].labels));
    }
  }
}

TEST_CASE("the same seeds have another sample in each batch, in workers too", "[feed]") {
  const auto all = batches({.csr_aggregate = true}, 2);
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) CHECK_FALSE(same(all[i].features, all[j].features));
}

TEST_CASE("a batch has its own nodes' features and its seeds' labels", "[feed]") {
  const auto job = small_graph::job();
  const Feed feed(job.graph, job.fan_outs, {}, job.device);
  auto batch = feed.sampled(orders(job, 1).front());
  CHECK_FALSE(batch.features.defined());
  feed.gather(batch);
  for (std::int64_t i = 0; i < batch.nodes.size(0); ++i)
    CHECK(at::equal(batch.features[i], job.graph->features[batch.nodes[i].item<std::int64_t>()]));
  CHECK(at::equal(batch.labels, job.graph->labels.index_select(0, at::tensor({1, 5, 9, 200}, at::kLong))));
}

TEST_CASE("features in BF16 are gathered as such, rounded", "[feed]") {
  const auto half = batches({.half_features = true}, 0).front().features,
             full = batches({}, 0).front().features;
  CHECK(half.scalar_type() == at::kBFloat16);
  CHECK(at::equal(half, full.to(at::kBFloat16)));
}

TEST_CASE("targets of edges and places where rows begin say the same", "[feed]") {
  const auto by_edge = batches({}, 0).front().graph,
             by_row = batches({.csr_aggregate = true}, 0).front().graph;
  const auto degrees = by_row.offsets.diff();
  CHECK(at::equal(by_edge.targets, at::arange(degrees.size(0)).repeat_interleave(degrees)));
}

}  // namespace
