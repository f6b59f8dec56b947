#include "workloads/sage/neighbour_sampler.hpp"

#include "workloads/sage/fast_random.hpp"
#include "workloads/sage/neighbour_choice.hpp"

#include <algorithm>

namespace workloads::sage {
namespace {

/// Memory is asked for a block of targets ahead: a walk from edge to edge would wait for each of them.
constexpr std::size_t block = 64;

/// A sample in the making.
class Growing {
 public:
  Growing(const Neighbours& graph, std::span<const std::int64_t> seeds, std::uint64_t seed)
      : graph_(graph), seed_(seed), numbers_(static_cast<std::size_t>(graph.size()), -1) {
    for (const auto node : seeds) number_of(node);
    sample_.nodes_by_hop.push_back(count());
    sample_.offsets.push_back(0);
  }

  void hop(std::int64_t fan_out) {
    const auto begin = sample_.offsets.size() - 1, end = sample_.nodes.size();
    const auto edges_before = edges();
    for (auto first = begin; first < end; first += block) {
      choose_edges(first, std::min(first + block, end), fan_out);
      number_neighbours();
    }
    sample_.nodes_by_hop.push_back(count() - static_cast<std::int64_t>(end));
    sample_.edges_by_hop.push_back(edges() - edges_before);
  }

  Sampled finished() && {
    sample_.offsets.resize(sample_.nodes.size() + 1, edges());
    return std::move(sample_);
  }

 private:
  std::int64_t count() const { return static_cast<std::int64_t>(sample_.nodes.size()); }
  std::int64_t edges() const { return static_cast<std::int64_t>(sample_.sources.size()); }

  std::int64_t number_of(std::int64_t node) {
    auto& number = numbers_[static_cast<std::size_t>(node)];
    if (number < 0) {
      number = static_cast<std::int32_t>(sample_.nodes.size());
      sample_.nodes.push_back(node);
    }
    return number;
  }

  /// Of the targets' neighbours, by their places in the graph.
  void choose_edges(std::size_t first, std::size_t last, std::int64_t fan_out) {
    places_.clear();
    for (auto target = first; target < last; ++target) {
      choose_among_neighbours(sample_.nodes[target], fan_out);
      sample_.offsets.push_back(edges() + std::ssize(places_));
    }
  }

  void choose_among_neighbours(std::int64_t node, std::int64_t fan_out) {
    const auto begin = graph_.offsets[static_cast<std::size_t>(node)];
    const auto degree = graph_.degree(node);
    const auto before = places_.size();
    places_.resize(before + static_cast<std::size_t>(std::min(degree, fan_out)));
    choose_neighbours(seed_, node, degree, fan_out, places_.data() + before);
    for (auto i = before; i < places_.size(); ++i) {
      places_[i] += begin;
      __builtin_prefetch(&graph_.nodes[static_cast<std::size_t>(places_[i])]);
    }
  }

  /// Adds the edges at the places, and the nodes that are new.
  void number_neighbours() {
    for (auto& place : places_) {
      place = graph_.nodes[static_cast<std::size_t>(place)];
      __builtin_prefetch(&numbers_[static_cast<std::size_t>(place)]);
    }
    for (const auto node : places_) sample_.sources.push_back(number_of(node));
  }

  const Neighbours& graph_;
  std::uint64_t seed_;
  std::vector<std::int32_t> numbers_;  // of the graph's nodes in the sample; -1: it is not there
  std::vector<std::int64_t> places_;   // of a block's edges, then the neighbours there
  Sampled sample_;
};

}  // namespace

Sampled sample(const Neighbours& graph, std::span<const std::int64_t> seeds,
               std::span<const std::int64_t> fan_outs, std::uint64_t seed) {
  Growing growing(graph, seeds, seed);
  for (const auto fan_out : fan_outs) growing.hop(fan_out);
  return std::move(growing).finished();
}

std::uint64_t batch_seed(std::uint64_t seed, std::int64_t epoch, std::int64_t batch) {
  return part_seed(part_seed(seed, epoch), batch);
}

}  // namespace workloads::sage
