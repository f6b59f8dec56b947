#include "workloads/stgym/model/pooling.hpp"

#include "tests/gpu/stand_in.hpp"

#include "harness/libtorch/kineto.hpp"

#include "workloads/stgym/data/batch.hpp"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>

namespace {

using namespace workloads::stgym;

/// Three graphs of the published widths, n nodes in all, a multiple of three.
PoolingInput published_widths(std::int64_t n, at::Device device) {
  const auto edges = at::tensor({0, 1, 1, 0}, at::kLong).view({2, 2});
  const auto graph_of = at::arange(n, at::kLong).mul(3).div(n, "floor");
  return {at::rand({n, 128}).to(device),
          at::softmax(at::rand({n, 20}), -1).to(device),
          adjacency_of(edges.to(device), n),
          graph_of.to(device),
          {n / 3, n / 3, n / 3}};
}

HostIndices made_by(const Switches& switches, std::int64_t n) {
  HostIndices host;
  pool(published_widths(n, at::kCPU), switches, host);
  return host;
}

TEST_CASE("one naive forward pass makes 4,416 bytes of index tensors a node on the host", "[stgym]") {
  CHECK(made_by({}, 90).bytes == std::int64_t{4416} * 90);
}

TEST_CASE("without its doubled tail the naive layer makes 2,368 bytes of index tensors a node on the host",
          "[stgym]") {
  Switches switches;
  switches.single_tail = true;
  CHECK(made_by(switches, 90).bytes == std::int64_t{2368} * 90);
}

TEST_CASE("with index tensors made on the device only the number of clusters comes from the host",
          "[stgym]") {
  const auto host = made_by(with(&Switches::device_indices), 90);
  CHECK(host.bytes == 0);
  CHECK(host.small_bytes == 0);
  CHECK(host.scalar_bytes == 4);
}

TEST_CASE("the layer refuses nodes that belong to no graph", "[stgym]") {
  auto input = published_widths(90, at::kCPU);
  input.graph_of = input.graph_of.narrow(0, 0, 80);
  HostIndices host;
  CHECK_THROWS(pool(input, {}, host));
}

TEST_CASE("checks on the host find nodes that belong to no graph, too", "[stgym]") {
  auto input = published_widths(90, at::kCPU);
  HostIndices host;
  CHECK_NOTHROW(pool(input, with(&Switches::no_host_checks), host));
  input.sizes.back() -= 10;
  CHECK_THROWS(pool(input, with(&Switches::no_host_checks), host));
  input.sizes.back() += 10;
  input.graph_of = input.graph_of.narrow(0, 0, 80);
  CHECK_THROWS(pool(input, with(&Switches::no_host_checks), host));
}

/// Bytes of the copies to the device that are as large as one number per node: index tensors.
std::int64_t index_bytes_copied(const Switches& switches, std::int64_t n) {
  const at::Device gpu(at::kCUDA, 0);
  const auto input = published_widths(n, gpu);
  HostIndices host;
  const c10::NoGradGuard no_gradients;
  pool(input, switches, host);  // the first call loads kernels and libraries
  const auto counts = harness::count({harness::Device::Kind::cuda, 0}, [&] { pool(input, switches, host); });
  std::int64_t bytes = 0;
  for (const auto copy : counts.host_to_device)
    if (copy >= n) bytes += copy;
  return bytes;
}

TEST_CASE(
    "gpu: index tensors copied to the device take 4,416 bytes a node in naive and none in device_indices",
    "[stgym][gpu]") {
  if (!at::hasCUDA() || at::getNumGPUs() == 0) SKIP("no CUDA device");
  if (on_stand_in()) SKIP("stand-in: it has no records of CUPTI");
  constexpr std::int64_t n = 9000;
  CHECK(index_bytes_copied({}, n) == 4416 * n);
  CHECK(index_bytes_copied(with(&Switches::device_indices), n) == 0);
}

}  // namespace
