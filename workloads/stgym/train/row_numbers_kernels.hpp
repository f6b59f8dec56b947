// A batch as row numbers of the data set: what its graphs are is an argument of the launch, so that nothing
// is copied from the host. No LibTorch.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace workloads::stgym {

constexpr int most_listed_graphs = 128;

/// The graphs of a batch. Graph b's rows begin at first[b], its nodes at begin[b]; begin[graphs] is how many
/// nodes there are.
struct GraphTable {
  int graphs = 0;
  std::int64_t first[most_listed_graphs] = {};
  std::int64_t begin[most_listed_graphs + 1] = {};
};

/// `nodes` of them, those behind the last graph for padding: no row, no label, no neighbours.
struct RowNumbers {
  GraphTable table;
  std::int64_t nodes = 0;
  const std::int64_t* labels = nullptr;  // of the data set
  const float* degree = nullptr;         // of the data set
  std::int64_t* rows = nullptr;          // out: [nodes], -1 for padding
  std::int64_t* y = nullptr;             // out: [nodes], -100 for padding, which nll_loss leaves out
  float* own_degree = nullptr;           // out: [nodes]
  std::int64_t* offsets = nullptr;       // out: [graphs + 1]
};

void launch_row_numbers(const RowNumbers& args, cudaStream_t stream);

}  // namespace workloads::stgym
