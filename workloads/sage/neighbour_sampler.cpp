#include "workloads/sage/neighbour_sampler.hpp"

#include "workloads/sage/neighbour_choice.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <utility>

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

namespace {

/// Where each hop begins, and where the last one ends.
std::vector<std::int64_t> begins_of(const std::vector<std::int64_t>& counts) {
  std::vector<std::int64_t> begins{0};
  std::partial_sum(counts.begin(), counts.end(), std::back_inserter(begins));
  return begins;
}

void keep_largest(std::vector<std::int64_t>& largest, const std::vector<std::int64_t>& counts) {
  largest.resize(counts.size(), 0);
  for (std::size_t hop = 0; hop < counts.size(); ++hop) largest[hop] = std::max(largest[hop], counts[hop]);
}

/// A padded sample in the making.
class Padding {
 public:
  Padding(const Sampled& sample, const Room& room)
      : sample_(sample), room_(room), from_(begins_of(sample.nodes_by_hop)), to_(begins_of(room.nodes)) {}

  Sampled padded() && {
    const auto hops = room_.edges.size();
    for (std::size_t hop = 0; hop <= hops; ++hop) add_nodes(hop);
    for (std::size_t hop = 0; hop < hops; ++hop) {
      add_edges(hop);
      add_edges_of_padding(hop);
    }
    out_.nodes_by_hop = room_.nodes;
    out_.edges_by_hop = room_.edges;
    out_.offsets.resize(out_.nodes.size() + 1, std::ssize(out_.sources));
    return std::move(out_);
  }

 private:
  void add_nodes(std::size_t hop) {
    for (auto node = from_[hop]; node < from_[hop + 1]; ++node) {
      numbers_.push_back(std::ssize(out_.nodes));
      out_.nodes.push_back(sample_.nodes[static_cast<std::size_t>(node)]);
    }
    out_.nodes.resize(static_cast<std::size_t>(to_[hop + 1]), sample_.nodes.front());
  }

  /// Of the hop's nodes, with the numbers that their sources have now.
  void add_edges(std::size_t hop) {
    const auto first = static_cast<std::size_t>(from_[hop]), last = static_cast<std::size_t>(from_[hop + 1]);
    for (auto target = first; target < last; ++target) {
      out_.offsets.push_back(std::ssize(out_.sources));
      for (auto edge = sample_.offsets[target]; edge < sample_.offsets[target + 1]; ++edge)
        out_.sources.push_back(
            numbers_[static_cast<std::size_t>(sample_.sources[static_cast<std::size_t>(edge)])]);
    }
  }

  /// How many nodes of padding the hop has, and the first one's number.
  std::int64_t count(std::size_t hop) const { return room_.nodes[hop] - sample_.nodes_by_hop[hop]; }
  std::int64_t first(std::size_t hop) const { return to_[hop] + sample_.nodes_by_hop[hop]; }

  void add_edges_of_padding(std::size_t hop) {
    const auto targets = count(hop), edges = room_.edges[hop] - sample_.edges_by_hop[hop];
    std::int64_t edge = 0;
    for (std::int64_t target = 1; target <= targets; ++target) {
      out_.offsets.push_back(std::ssize(out_.sources));
      for (; edge < edges * target / targets; ++edge)
        out_.sources.push_back(first(hop + 1) + edge % count(hop + 1));
    }
  }

  const Sampled& sample_;
  const Room& room_;
  std::vector<std::int64_t> from_, to_;  // where each hop's nodes begin
  std::vector<std::int64_t> numbers_;    // new ones, of the sample's nodes
  Sampled out_;
};

}  // namespace

Room room_for(const Neighbours& graph, std::int64_t training, std::int64_t batch_size,
              std::span<const std::int64_t> fan_outs) {
  constexpr std::int64_t tried = 4, share = 16;
  const auto batches = training / batch_size;
  Room room;
  for (std::int64_t batch = 0; batch < std::min(tried, batches); ++batch) {
    std::vector<std::int64_t> seeds;
    for (std::int64_t i = 0; i < batch_size; ++i) seeds.push_back(batch + i * batches);
    const auto drawn = sample(graph, seeds, fan_outs, batch_seed(0, 0, batch));
    keep_largest(room.nodes, drawn.nodes_by_hop);
    keep_largest(room.edges, drawn.edges_by_hop);
  }
  for (auto* counts : {&room.nodes, &room.edges})
    for (auto& count : *counts) count += count / share + 1;
  return room;
}

bool fits(const Sampled& sample, const Room& room) {
  return std::ranges::equal(sample.nodes_by_hop, room.nodes, std::less{}) &&
         std::ranges::equal(sample.edges_by_hop, room.edges, std::less_equal{});
}

Sampled padded(const Sampled& sample, const Room& room) { return Padding(sample, room).padded(); }

}  // namespace workloads::sage
