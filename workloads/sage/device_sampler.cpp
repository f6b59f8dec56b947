#include "workloads/sage/device_sampler.hpp"

#include "workloads/sage/sage_kernels.hpp"

#include <ATen/ATen.h>
#include <c10/cuda/CUDAStream.h>

#include <algorithm>

namespace workloads::sage {
namespace {

/// A sample in the making; numbers and places are those of its nodes, as Sampled says.
class DrawnOnDevice {
 public:
  DrawnOnDevice(const at::Tensor& offsets, const at::Tensor& neighbours, const at::Tensor& seeds,
                std::uint64_t seed)
      : offsets_(offsets),
        neighbours_(neighbours),
        seed_(seed),
        integers_(offsets.options().dtype(at::kInt)),
        numbers_(at::full({nodes_of_graph()}, -1, integers_)) {
    sample_.nodes = at::empty({0}, seeds.options());
    ends_ = {at::zeros({1}, seeds.options())};
    add(seeds);
  }

  void hop(std::int64_t fan_out) {
    const auto targets = sample_.nodes.narrow(0, sample_.nodes.size(0) - sample_.nodes_by_hop.back(),
                                              sample_.nodes_by_hop.back());
    const auto chosen = chosen_for(targets, fan_out);
    sample_.edges_by_hop.push_back(chosen.size(0));
    add(new_among(chosen));
    sources_.push_back(numbers_.index_select(0, chosen));
  }

  DeviceSampled finished() && {
    ends_.push_back(ends_.back().slice(0, -1).expand({sample_.nodes_by_hop.back()}));
    sample_.offsets = at::cat(ends_);
    sample_.sources = at::cat(sources_).to(at::kLong);
    return std::move(sample_);
  }

 private:
  std::int64_t nodes_of_graph() const { return offsets_.size(0) - 1; }

  /// Gives them the next numbers.
  void add(const at::Tensor& nodes) {
    const auto count = sample_.nodes.size(0);
    numbers_.index_copy_(0, nodes, at::arange(count, count + nodes.size(0), integers_));
    sample_.nodes = at::cat({sample_.nodes, nodes});
    sample_.nodes_by_hop.push_back(nodes.size(0));
  }

  /// The neighbours that the targets get, one target's behind the other's.
  at::Tensor chosen_for(const at::Tensor& targets, std::int64_t fan_out) {
    const auto degrees = offsets_.index_select(0, targets + 1) - offsets_.index_select(0, targets);
    const auto ends = degrees.clamp_max(fan_out).cumsum(0);
    const auto edges = targets.size(0) == 0 ? 0 : ends[-1].item<std::int64_t>();
    ends_.push_back(ends + ends_.back()[-1]);
    auto chosen = at::empty({edges}, targets.options());
    launch_choice({.offsets = offsets_.const_data_ptr<std::int64_t>(),
                   .neighbours = neighbours_.const_data_ptr<std::int32_t>(),
                   .nodes = targets.const_data_ptr<std::int64_t>(),
                   .ends = ends.const_data_ptr<std::int64_t>(),
                   .count = targets.size(0),
                   .fan_out = fan_out,
                   .seed = seed_,
                   .chosen = chosen.mutable_data_ptr<std::int64_t>()},
                  c10::cuda::getCurrentCUDAStream());
    return chosen;
  }

  /// Those without a number, each once, in the order in which they stand there first.
  at::Tensor new_among(const at::Tensor& chosen) const {
    const auto place = at::arange(chosen.size(0), integers_);
    const auto first =
        at::full({nodes_of_graph()}, chosen.size(0), integers_).scatter_reduce(0, chosen, place, "amin");
    return chosen.masked_select(
        first.index_select(0, chosen).eq(place).logical_and(numbers_.index_select(0, chosen).lt(0)));
  }

  at::Tensor offsets_, neighbours_;
  std::uint64_t seed_;
  at::TensorOptions integers_;
  at::Tensor numbers_;                      // of the graph's nodes in the sample; -1: it is not there
  std::vector<at::Tensor> ends_, sources_;  // hop by hop
  DeviceSampled sample_;
};

/// The nodes of most neighbours, which samples meet most often: this part of all nodes.
constexpr double hot_part = 0.1;

}  // namespace

DeviceSampler::DeviceSampler(const Neighbours& graph, at::Device device)
    : offsets_(at::tensor(graph.offsets, at::kLong).to(device)),
      neighbours_(at::tensor(graph.nodes, at::kInt).to(device)) {}

DeviceSampled DeviceSampler::operator()(const at::Tensor& seeds, std::span<const std::int64_t> fan_outs,
                                        std::uint64_t seed) const {
  DrawnOnDevice growing(offsets_, neighbours_, seeds, seed);
  for (const auto fan_out : fan_outs) growing.hop(fan_out);
  return std::move(growing).finished();
}

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
