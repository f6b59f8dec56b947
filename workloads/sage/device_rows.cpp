#include "workloads/sage/device_rows.hpp"

#include "workloads/sage/sage_kernels.hpp"

#include <ATen/ATen.h>
#include <c10/cuda/CUDAStream.h>

namespace workloads::sage {

at::Tensor hottest(const Neighbours& graph) {
  const auto count = static_cast<std::int64_t>(hot_part * static_cast<double>(graph.size()));
  return at::tensor(graph.offsets, at::kLong)
      .diff()
      .argsort(/*stable=*/true, /*dim=*/0, /*descending=*/true)
      .narrow(0, 0, count);
}

DeviceRows::DeviceRows(const Graph& graph, const Switches& switches, at::Device device)
    : table_(switches.zero_copy ? graph.features.pin_memory() : graph.features.to(device)) {
  if (!switches.hot_rows) return;
  const auto hot = hottest(graph.neighbours);
  hot_ = graph.features.index_select(0, hot).to(device);
  auto places = at::full({graph.neighbours.size()}, -1, at::kInt);
  places.index_copy_(0, hot, at::arange(hot.size(0), at::kInt));
  places_ = places.to(device);
}

at::Tensor DeviceRows::operator()(const at::Tensor& nodes) const {
  if (table_.is_cuda()) return table_.index_select(0, nodes);
  auto rows = at::empty({nodes.size(0), table_.size(1)}, nodes.options().dtype(at::kFloat));
  launch_gather({.table = table_.const_data_ptr<float>(),
                 .hot = hot_.defined() ? hot_.const_data_ptr<float>() : nullptr,
                 .places = places_.defined() ? places_.const_data_ptr<std::int32_t>() : nullptr,
                 .nodes = nodes.const_data_ptr<std::int64_t>(),
                 .count = nodes.size(0),
                 .width = table_.size(1),
                 .rows = rows.mutable_data_ptr<float>()},
                c10::cuda::getCurrentCUDAStream());
  return rows;
}

}  // namespace workloads::sage
