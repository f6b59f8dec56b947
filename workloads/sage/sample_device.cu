// A thread chooses the neighbours of a node.
#include "harness/cuda/check.hpp"
#include "harness/cuda/launch_work.hpp"

#include "workloads/sage/neighbour_choice.hpp"
#include "workloads/sage/sage_kernels.hpp"

namespace workloads::sage {
namespace {

constexpr int threads = 128;

__global__ void __launch_bounds__(threads) choose(NeighbourChoice a) {
  const auto i = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x;
  if (i >= a.count) return;
  const auto node = a.nodes[i];
  const auto begin = a.offsets[node];
  std::int64_t* const chosen = a.chosen + (i == 0 ? 0 : a.ends[i - 1]);
  const auto found = choose_neighbours(a.seed, node, a.offsets[node + 1] - begin, a.fan_out, chosen);
  for (std::int64_t edge = 0; edge < found; ++edge) chosen[edge] = a.neighbours[begin + chosen[edge]];
}

}  // namespace

void launch_choice(const NeighbourChoice& args, cudaStream_t stream) {
  if (args.count == 0) return;
  constexpr double of_node = 4 * sizeof(std::int64_t), of_edge = sizeof(std::int32_t) + sizeof(std::int64_t);
  harness::next_launch_does(static_cast<double>(args.count) *
                            (of_node + of_edge * static_cast<double>(args.fan_out)));
  choose<<<static_cast<unsigned>((args.count + threads - 1) / threads), threads, 0, stream>>>(args);
  harness::check(cudaGetLastError());
}

}  // namespace workloads::sage
