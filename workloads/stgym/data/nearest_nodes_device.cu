// A thread takes a node and goes through all others in order of their numbers. Those that are certainly too
// far away by FP32's digits are left out; of the others squared distances must be the host's to the last bit,
// or ties would be decided otherwise. So it is compiled without fused multiply-adds.
#include "harness/cuda/check.hpp"
#include "harness/cuda/launch_work.hpp"

#include "workloads/stgym/data/nearest_nodes_device.hpp"

namespace workloads::stgym {
namespace {

constexpr int threads = 128;

/// No squared distance in FP32 is above it if the one in FP64 is at most `squared`: a difference, its square
/// and the sum are rounded by 2^-24 each, and the least numbers by more.
__device__ float above(double squared) { return static_cast<float>(squared * (1 + 0x1p-20) + 0x1p-140); }

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
  const float x = a.xy[2 * node];
  const float y = a.xy[2 * node + 1];
  const auto row = node * a.limit;
  std::int64_t count = 0;
  double most = a.radius * a.radius;
  float too_far = above(most);
  for (std::int64_t other = 0; other < a.nodes; ++other) {
    const float fast_x = x - a.xy[2 * other];
    const float fast_y = y - a.xy[2 * other + 1];
    if (fast_x * fast_x + fast_y * fast_y > too_far || other == node) continue;
    const double dx = static_cast<double>(x) - a.xy[2 * other];
    const double dy = static_cast<double>(y) - a.xy[2 * other + 1];
    const double squared = dx * dx + dy * dy;
    const bool full = count == a.limit;
    if (squared > most || (full && squared == most)) continue;
    insert(a, row, full ? count - 1 : count, squared, other);
    if (!full) ++count;
    if (count < a.limit) continue;
    most = a.squared[row + count - 1];
    too_far = above(most);
  }
}

}  // namespace

void launch_neighbour_search(const DeviceSearch& search, cudaStream_t stream) {
  if (search.nodes == 0 || search.limit == 0) return;
  constexpr double bytes = 2 * sizeof(float);  // of a position, which the cache keeps for the others
  constexpr double operations = 8;             // of a pair
  const auto nodes = static_cast<double>(search.nodes);
  harness::next_launch_does(nodes * bytes, operations * nodes * nodes);
  nearest<<<static_cast<unsigned>((search.nodes + threads - 1) / threads), threads, 0, stream>>>(search);
  harness::check(cudaGetLastError());
}

}  // namespace workloads::stgym
