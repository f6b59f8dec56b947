#include "workloads/sage/sample_processes.hpp"

#include "tests/workloads/sage/small_graph.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>

#include <stdexcept>
#include <vector>

namespace {

using namespace workloads::sage;

std::vector<Order> orders(std::int64_t first, std::int64_t count) {
  std::vector<Order> all;
  for (auto i = first; i < first + count; ++i) all.push_back({{i, 5 + 7 * i, 2000 + i}, batch_seed(1, 0, i)});
  return all;
}

/// The processes' batches are those that the loop makes.
void check_pass(SampleProcesses& processes, const std::vector<Order>& asked) {
  const auto job = small_graph::job();
  const Feed feed(job.graph, job.fan_outs, {.csr_aggregate = true}, at::kCPU);
  processes.begin(asked);
  for (const auto& order : asked) {
    auto own = feed.sampled(order);
    feed.gather(own);
    const auto made = processes.next();
    REQUIRE(made);
    CHECK(made->graph.nodes_by_hop == own.graph.nodes_by_hop);
    CHECK(made->graph.edges_by_hop == own.graph.edges_by_hop);
    CHECK(at::equal(made->graph.sources, own.graph.sources));
    CHECK(at::equal(made->graph.offsets, own.graph.offsets));
    CHECK(at::equal(made->labels, own.labels));
    CHECK(at::equal(made->features, own.features));
  }
  CHECK_FALSE(processes.next());
}

TEST_CASE("worker processes make the batches that the loop makes, pass after pass", "[processes]") {
  const auto job = small_graph::job();
  SampleProcesses processes(*job.graph, job.fan_outs, 2, 2);
  check_pass(processes, orders(0, 5));
  check_pass(processes, orders(5, 5));
  check_pass(processes, orders(10, 3));
}

TEST_CASE("a pass of worker processes ends before the next one begins", "[processes]") {
  const auto job = small_graph::job();
  SampleProcesses processes(*job.graph, job.fan_outs, 1, 2);
  processes.begin(orders(0, 4));
  REQUIRE(processes.next());
  CHECK_THROWS_AS(processes.begin(orders(4, 4)), std::logic_error);
}

TEST_CASE("a batch of all nodes and all edges fits its slot", "[processes]") {
  const auto job = small_graph::job();
  SampleProcesses processes(*job.graph, {all_neighbours, all_neighbours, all_neighbours}, 1, 1);
  processes.begin(orders(0, 1));
  const auto batch = processes.next();
  REQUIRE(batch);
  CHECK(batch->graph.nodes() == job.graph->neighbours.size());
}

}  // namespace
