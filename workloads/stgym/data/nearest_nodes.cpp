#include "workloads/stgym/data/nearest_nodes.hpp"

#include "workloads/stgym/data/nearest_nodes_device.hpp"

#include <ATen/ATen.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <nanoflann.hpp>

#include <algorithm>
#include <utility>

namespace workloads::stgym {
namespace {

/// The points as nanoflann reads them.
struct Plane {
  std::span<const float> xy;
  std::size_t kdtree_get_point_count() const { return xy.size() / 2; }
  double kdtree_get_pt(std::size_t node, std::size_t axis) const { return xy[2 * node + axis]; }
  template <class Box>
  bool kdtree_get_bbox(Box&) const {
    return false;
  }
};

using PlaneMetric = nanoflann::L2_Simple_Adaptor<double, Plane, double, std::uint32_t>;
using Tree = nanoflann::KDTreeSingleIndexAdaptor<PlaneMetric, Plane, 2, std::uint32_t>;

/// The nearest nodes met so far, ordered by distance and node number; nanoflann's own sets leave it to the
/// shape of the tree which of several equally distant nodes they keep.
class Nearest {
 public:
  using DistanceType = double;
  using IndexType = std::uint32_t;

  Nearest(std::size_t limit, double radius) : limit_(limit), squared_(radius * radius) {}

  void start(std::size_t node) {
    self_ = node;
    found_.clear();
  }
  const auto& found() const { return found_; }

  std::size_t size() const { return found_.size(); }
  bool empty() const { return found_.empty(); }
  bool full() const { return found_.size() == limit_; }
  void sort() {}

  /// nanoflann offers nodes nearer than this. The margin lets equally distant ones through in spite of
  /// rounding; addPoint decides.
  // NOLINTNEXTLINE(readability-identifier-naming): nanoflann calls it
  double worstDist() const { return (full() ? found_.back().first : squared_) * (1 + 1e-12) + tiny; }

  // NOLINTNEXTLINE(readability-identifier-naming): nanoflann calls it
  bool addPoint(double distance, std::uint32_t node) {
    const std::pair candidate{distance, node};
    if (node == self_ || distance > squared_ || (full() && candidate > found_.back())) return true;
    if (full()) found_.pop_back();
    found_.insert(std::upper_bound(found_.begin(), found_.end(), candidate), candidate);
    return true;
  }

 private:
  static constexpr double tiny = std::numeric_limits<double>::min();
  std::size_t limit_;
  double squared_;
  std::size_t self_ = 0;
  std::vector<std::pair<double, std::uint32_t>> found_;
};

}  // namespace

Neighbours find_neighbours(std::span<const float> xy, std::size_t limit, double radius) {
  const Plane plane{xy};
  const auto nodes = plane.kdtree_get_point_count();
  Neighbours result{.start = {0}, .index = {}};
  if (nodes == 0) return result;
  result.start.reserve(nodes + 1);
  if (limit == 0) {
    result.start.resize(nodes + 1, 0);
    return result;
  }

  Tree tree(2, plane);
  Nearest nearest(limit, radius);
  for (std::size_t node = 0; node < nodes; ++node) {
    nearest.start(node);
    const double at[] = {xy[2 * node], xy[2 * node + 1]};
    tree.findNeighbors(nearest, at, {});
    for (const auto& [distance, neighbour] : nearest.found()) result.index.push_back(neighbour);
    result.start.push_back(result.index.size());
  }
  return result;
}

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
