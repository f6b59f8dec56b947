// A thread takes a node and goes through all others in order of their numbers. Compiled without fused
// multiply-adds: squared distances must be the host's to the last bit, or ties would be decided otherwise.
#include "harness/cuda/check.hpp"
#include "harness/cuda/launch_work.hpp"

#include "workloads/stgym/data/nearest_nodes_device.hpp"

namespace workloads::stgym {
namespace {

constexpr int threads = 128;

/// Puts a node behind those that are as near or nearer. `count` entries are there.
__device__ void insert(const DeviceSearch& a, std::int64_t row, std::int64_t count, double squared,
                       std::int64_t node) {
  auto at = row + count;
  for (; at > row && a.squared[at - 1] > squared; --at) {
    a.squared[at] = a.squared[at - 1];
    a.found[at] = a.found[at - 1];
  }
  a.squared[at] = squared;
  a.found[at] = node;
}

__global__ void __launch_bounds__(threads) nearest(DeviceSearch a) {
  const auto node = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x;
  if (node >= a.nodes) return;
  const double x = a.xy[2 * node];
  const double y = a.xy[2 * node + 1];
  const auto row = node * a.limit;
  std::int64_t count = 0;
  for (std::int64_t other = 0; other < a.nodes; ++other) {
    const double dx = x - a.xy[2 * other];
    const double dy = y - a.xy[2 * other + 1];
    const double squared = dx * dx + dy * dy;
    if (other == node || squared > a.radius * a.radius) continue;
    const bool full = count == a.limit;
    if (full && squared >= a.squared[row + count - 1]) continue;
    insert(a, row, full ? count - 1 : count, squared, other);
    if (!full) ++count;
  }
}

}  // namespace

void launch_neighbour_search(const DeviceSearch& search, cudaStream_t stream) {
  if (search.nodes == 0 || search.limit == 0) return;
  constexpr double bytes = 2 * sizeof(float);  // of a position, which the cache keeps for the others
  constexpr double operations = 8;             // of a pair in double precision: twice FP32's
  const auto nodes = static_cast<double>(search.nodes);
  harness::next_launch_does(nodes * bytes, 2 * operations * nodes * nodes);
  nearest<<<static_cast<unsigned>((search.nodes + threads - 1) / threads), threads, 0, stream>>>(search);
  harness::check(cudaGetLastError());
}

}  // namespace workloads::stgym
