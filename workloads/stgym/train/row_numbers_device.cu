// A thread finds the row of a node.
#include "harness/cuda/check.hpp"
#include "harness/cuda/launch_work.hpp"

#include "workloads/stgym/model/warp.cuh"
#include "workloads/stgym/train/row_numbers_kernels.hpp"

namespace workloads::stgym {
namespace {

constexpr int threads = 256;
constexpr std::int64_t no_label = -100;

__global__ void __launch_bounds__(threads) row_numbers(RowNumbers a) {
  const auto n = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x;
  if (n <= a.table.graphs) a.offsets[n] = a.table.begin[n];
  if (n >= a.nodes) return;
  const int graph = graph_of(a.table.begin, a.table.graphs, n);
  const bool padding = graph == a.table.graphs;
  const std::int64_t row = padding ? -1 : a.table.first[graph] + n - a.table.begin[graph];
  a.rows[n] = row;
  a.y[n] = padding ? no_label : a.labels[row];
  a.own_degree[n] = padding ? 0 : a.degree[row];
}

}  // namespace

void launch_row_numbers(const RowNumbers& args, cudaStream_t stream) {
  constexpr double numbers = 4 * sizeof(std::int64_t) + 2 * sizeof(float);  // read and written for a node
  harness::next_launch_does(numbers * static_cast<double>(args.nodes));
  const auto items = args.nodes > args.table.graphs ? args.nodes : args.table.graphs + 1;
  row_numbers<<<blocks_for(items, threads), threads, 0, stream>>>(args);
  harness::check(cudaGetLastError());
}

}  // namespace workloads::stgym
