// What a device does for the sampled GraphSAGE, against the host.
#include "tests/workloads/sage/small_graph.hpp"

#include "workloads/sage/device_sampler.hpp"

#include <ATen/ATen.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <vector>

namespace {

using namespace workloads::sage;

const at::Device gpu(at::kCUDA, 0);

bool no_device() { return !at::hasCUDA() || at::getNumGPUs() == 0; }

at::Tensor on_gpu(const std::vector<std::int64_t>& numbers) { return at::tensor(numbers, at::kLong).to(gpu); }

void check_same_sample(const Neighbours& graph, const std::vector<std::int64_t>& seeds,
                       const std::vector<std::int64_t>& fan_outs) {
  const DeviceSampler sampler(graph, gpu);
  for (const std::uint64_t seed : {1, 2, 3}) {
    const auto host = sample(graph, seeds, fan_outs, seed);
    const auto device = sampler(on_gpu(seeds), fan_outs, seed);
    CHECK(device.nodes_by_hop == host.nodes_by_hop);
    CHECK(device.edges_by_hop == host.edges_by_hop);
    CHECK(at::equal(device.nodes.cpu(), at::tensor(host.nodes, at::kLong)));
    CHECK(at::equal(device.sources.cpu(), at::tensor(host.sources, at::kLong)));
    CHECK(at::equal(device.offsets.cpu(), at::tensor(host.offsets, at::kLong)));
  }
}

TEST_CASE("gpu: the device draws the samples that the host draws, in their order", "[gpu]") {
  if (no_device()) SKIP("no CUDA device");
  const auto graph = power_law_graph(1. / 1024, 3).neighbours;
  std::vector<std::int64_t> seeds;
  for (std::int64_t i = 0; i < 40; ++i) seeds.push_back(i * i);
  check_same_sample(graph, seeds, {15, 10, 5});
  check_same_sample(graph, {7}, {all_neighbours, 2});
}

TEST_CASE("gpu: the device samples a node without neighbors", "[gpu]") {
  if (no_device()) SKIP("no CUDA device");
  check_same_sample(neighbours_of({.one = {0, 1}, .other = {1, 3}}, 4), {2}, {5, 5});
  check_same_sample(neighbours_of({.one = {0, 1}, .other = {1, 3}}, 4), {2, 1}, {1, 5});
}

TEST_CASE("gpu: rows come from wherever they lie", "[gpu]") {
  if (no_device()) SKIP("no CUDA device");
  const auto graph = small_graph::job().graph;
  std::vector<std::int64_t> nodes;
  for (std::int64_t i = 0; i < graph->neighbours.size(); i += 3) nodes.push_back(i);
  const auto expected = graph->features.index_select(0, at::tensor(nodes, at::kLong));
  for (const auto& switches : {Switches{.features_on_device = true}, Switches{.zero_copy = true},
                               Switches{.zero_copy = true, .hot_rows = true}}) {
    const DeviceRows rows(*graph, switches, gpu);
    CHECK(at::equal(rows(on_gpu(nodes)).cpu(), expected));
  }
}

/// Six steps of the job on the device, from the same seed.
std::vector<float> losses_of(const Switches& switches) {
  auto job = small_graph::job();
  job.device = gpu;
  // The default stream cannot be captured.
  const c10::cuda::CUDAStreamGuard stream(c10::cuda::getStreamFromPool(false, gpu.index()));
  Trainer trainer(job, switches);
  trainer.steps(3);
  trainer.steps(3);
  return trainer.losses();
}

TEST_CASE("gpu: forms that read, sample or replay on the device train as the others do", "[gpu]") {
  if (no_device()) SKIP("no CUDA device");
  const auto expected = losses_of(best());
  for (const auto change : {&Switches::zero_copy, &Switches::hot_rows, &Switches::sample_on_device,
                            &Switches::captured, &Switches::worker_processes}) {
    auto switches = best();
    if (rung_of(change).stands_on != nullptr) switches.*rung_of(change).stands_on = true;
    switches.*change = true;
    const auto losses = losses_of(switches);
    REQUIRE(losses.size() == expected.size());
    for (std::size_t i = 0; i < losses.size(); ++i)
      CHECK(std::abs(losses[i] - expected[i]) < 1e-4 * expected[i]);
  }
}

}  // namespace
