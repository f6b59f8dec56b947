#include "workloads/stgym/space_model/readout.hpp"

#include <ATen/ATen.h>

#include <algorithm>
#include <iterator>

namespace workloads::stgym::space {
namespace {

/// All graphs have as many rows, as behind a pooling: x [B, rows, F].
at::Tensor of_blocks(Readout readout, const at::Tensor& x) {
  switch (readout) {
    case Readout::mean:
      return x.mean(1);
    case Readout::max:
      return x.amax(1);
    case Readout::add:
      break;
  }
  return x.sum(1);
}

}  // namespace

at::Tensor read_out(Readout readout, const at::Tensor& x, const at::Tensor& graph_of,
                    const std::vector<std::int64_t>& sizes) {
  const auto graphs = std::ssize(sizes);
  if (std::ranges::all_of(sizes, [&](auto size) { return size == sizes.front(); }))
    return of_blocks(readout, x.reshape({graphs, -1, x.size(1)}));
  if (readout == Readout::max) {
    const auto target = graph_of.unsqueeze(1).expand_as(x);
    return at::zeros({graphs, x.size(1)}, x.options())
        .scatter_reduce(0, target, x, "amax", /*include_self=*/false);
  }
  const auto sum = at::zeros({graphs, x.size(1)}, x.options()).index_add(0, graph_of, x);
  if (readout == Readout::add) return sum;
  // The sizes are known on the host, but the device must count: else they were copied from pageable memory.
  const auto count =
      at::zeros({graphs}, x.options()).index_add_(0, graph_of, at::ones_like(graph_of, x.options()));
  return sum / count.unsqueeze(1);
}

}  // namespace workloads::stgym::space
