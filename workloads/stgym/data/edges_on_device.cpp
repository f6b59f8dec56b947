#include "workloads/stgym/data/edges_on_device.hpp"

#include "workloads/stgym/data/neighbours_device.hpp"

#include <ATen/ATen.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

namespace workloads::stgym {

at::Tensor edges_on_device(const at::Tensor& xy, std::int64_t limit, double radius) {
  const c10::cuda::CUDAGuard guard(xy.device());
  const auto n = xy.size(0);
  const auto integers = xy.options().dtype(at::kLong);
  const auto found = at::full({n, limit}, -1, integers);
  const auto squared = at::empty({n, limit}, xy.options().dtype(at::kDouble));
  launch_neighbour_search({.nodes = n,
                           .limit = limit,
                           .radius = radius,
                           .xy = xy.const_data_ptr<float>(),
                           .squared = squared.mutable_data_ptr<double>(),
                           .found = found.mutable_data_ptr<std::int64_t>()},
                          c10::cuda::getCurrentCUDAStream());
  const auto places = found.ge(0).nonzero();
  const auto from = found.index({places.select(1, 0), places.select(1, 1)});
  // One number for an edge, from * n + to: sorting it sorts by both.
  const auto [edges, order] = (from * n + places.select(1, 0)).sort();
  return at::stack({edges.div(n, "floor"), edges.remainder(n)});
}

}  // namespace workloads::stgym
