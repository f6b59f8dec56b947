#include "tests/workloads/sage/small_graph.hpp"

#include "workloads/sage/neighbour_sampler.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>

#include <numeric>
#include <vector>

namespace {

using namespace workloads::sage;

const std::vector<std::int64_t> seeds{1, 5, 9, 200};

Sampled small_sample() {
  const auto job = small_graph::job();
  return sample(job.graph->neighbours, seeds, job.fan_outs, 3);
}

/// `nodes` and `edges` more in each hop.
Room room_with(const Sampled& sample, std::int64_t nodes, std::int64_t edges) {
  Room room{sample.nodes_by_hop, sample.edges_by_hop};
  for (auto& count : room.nodes) count += nodes;
  for (auto& count : room.edges) count += edges;
  return room;
}

/// The graph's nodes at the ends of the sample's edges into its nodes number `first` to `last`, in order.
std::vector<std::int64_t> sources_of(const Sampled& sample, std::int64_t first, std::int64_t last) {
  std::vector<std::int64_t> nodes;
  for (auto edge = sample.offsets[static_cast<std::size_t>(first)];
       edge < sample.offsets[static_cast<std::size_t>(last)]; ++edge)
    nodes.push_back(sample.nodes[static_cast<std::size_t>(sample.sources[static_cast<std::size_t>(edge)])]);
  return nodes;
}

TEST_CASE("a padded sample has the sizes of the room, and each node its edges", "[padded]") {
  const auto own = small_sample();
  const auto room = room_with(own, 3, 10);
  REQUIRE(fits(own, room));
  const auto more = padded(own, room);
  CHECK(more.nodes_by_hop == room.nodes);
  CHECK(more.edges_by_hop == room.edges);
  CHECK(std::ssize(more.nodes) == std::reduce(room.nodes.begin(), room.nodes.end()));
  CHECK(std::ssize(more.sources) == std::reduce(room.edges.begin(), room.edges.end()));
  CHECK(more.offsets.size() == more.nodes.size() + 1);
  CHECK(more.offsets.back() == std::ssize(more.sources));
  std::int64_t from = 0, to = 0;
  for (std::size_t hop = 0; hop < room.nodes.size(); ++hop) {
    const auto count = own.nodes_by_hop[hop];
    CHECK(sources_of(own, from, from + count) == sources_of(more, to, to + count));
    from += count;
    to += room.nodes[hop];
  }
}

TEST_CASE("edges of padding lead from padding to padding, evenly", "[padded]") {
  const auto own = small_sample();
  const auto room = room_with(own, 3, 10);
  const auto more = padded(own, room);
  std::vector<bool> is_padding(more.nodes.size());
  std::int64_t begin = 0;
  for (std::size_t hop = 0; hop < room.nodes.size(); begin += room.nodes[hop++])
    for (auto node = begin + own.nodes_by_hop[hop]; node < begin + room.nodes[hop]; ++node)
      is_padding[static_cast<std::size_t>(node)] = true;
  for (std::size_t target = 0; target < more.nodes.size(); ++target) {
    const auto first = more.offsets[target], last = more.offsets[target + 1];
    const bool own_kind = is_padding[target];
    if (own_kind) CHECK(last - first <= 4);  // ten over three
    for (auto edge = first; edge < last; ++edge) {
      const auto source = more.sources[static_cast<std::size_t>(edge)];
      const bool kind = is_padding[static_cast<std::size_t>(source)];
      CHECK(kind == own_kind);
    }
  }
}

TEST_CASE("a sample without room for a node of padding in each hop does not fit", "[padded]") {
  const auto own = small_sample();
  CHECK(fits(own, room_with(own, 1, 0)));
  CHECK_FALSE(fits(own, room_with(own, 0, 5)));
  CHECK_FALSE(fits(own, room_with(own, 5, -1)));
}

TEST_CASE("the batches of an epoch fit the room that some of them gave", "[padded]") {
  const auto job = small_graph::job();
  const auto room = room_for(job.graph->neighbours, job.graph->training, job.batch_size, job.fan_outs);
  const Feed feed(job.graph, job.fan_outs, {.csr_aggregate = true}, at::kCPU, room);
  std::int64_t padded = 0, batches = 0;
  for (std::int64_t first = 0; first + job.batch_size <= job.graph->training; first += job.batch_size) {
    workloads::training::Numbers batch(static_cast<std::size_t>(job.batch_size));
    std::iota(batch.begin(), batch.end(), first);
    padded += feed.sampled({batch, batch_seed(job.seed, 0, first)}).is_padded ? 1 : 0;
    ++batches;
  }
  CHECK(2 * padded > batches);
}

TEST_CASE("a training on padded samples is the training on samples, in FP64 to 1e-9", "[padded]") {
  auto switches = best();
  Trainer plain(small_graph::job(at::kDouble), switches);
  switches.captured = true;
  Trainer padding(small_graph::job(at::kDouble), switches);
  plain.steps(6);
  padding.steps(6);
  for (std::size_t i = 0; i < plain.parameters().size(); ++i)
    CHECK((plain.parameters()[i].second - padding.parameters()[i].second).abs().max().item<double>() < 1e-9);
}

}  // namespace
