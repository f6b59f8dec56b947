// A warp reads a node's row, from where it lies: in the device's memory or, over the link, in the host's.
#include "harness/cuda/check.hpp"
#include "harness/cuda/launch_work.hpp"

#include "workloads/sage/sage_kernels.hpp"

namespace workloads::sage {
namespace {

constexpr int warp = 32;
constexpr int rows_of_block = 8;
constexpr int threads = warp * rows_of_block;

__global__ void __launch_bounds__(threads) gather_rows(RowGather a) {
  const auto i = static_cast<std::int64_t>(blockIdx.x) * rows_of_block + threadIdx.x / warp;
  if (i >= a.count) return;
  const auto node = a.nodes[i];
  const std::int64_t place = a.places == nullptr ? -1 : a.places[node];
  const float* const row = place < 0 ? a.table + node * a.width : a.hot + place * a.width;
  for (std::int64_t column = threadIdx.x % warp; column < a.width; column += warp)
    a.rows[i * a.width + column] = row[column];
}

}  // namespace

void launch_gather(const RowGather& args, cudaStream_t stream) {
  if (args.count == 0) return;
  const auto of_row = 2 * sizeof(float) * static_cast<double>(args.width) + sizeof(std::int64_t);
  harness::next_launch_does(of_row * static_cast<double>(args.count));
  gather_rows<<<static_cast<unsigned>((args.count + rows_of_block - 1) / rows_of_block), threads, 0,
                stream>>>(args);
  harness::check(cudaGetLastError());
}

}  // namespace workloads::sage
