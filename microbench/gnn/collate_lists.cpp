// Make a batch of graphs out of two long arrays, not out of a list of small tensors.
//
// Question: 256 graphs of 20 to 59 nodes become one graph for a batch. How many calls does that take graph by
// graph, and how many if all graphs of the data set lie one after the other?
//
// A batch of graphs is one large graph: features are put together, and the numbers of each graph's edges are
// moved up by the nodes before it. A data set is mostly kept as a list with some tensors a graph, so that
// collating goes through the list: an addition for each graph's edges, then a copy of hundreds of small
// pieces. Each such call costs about a microsecond before it touches a number, and in Python several. If all
// graphs lie in one array of features and one of edges, with the places where each begins, a batch is a list
// of row numbers: repeat_interleave makes them, and one index_select an array brings the rows. The number of
// calls is then the same for any batch.
//
// When it does not matter: for batches of a few large graphs, where the bytes count and not the calls, and
// where workers collate ahead of time on cores that are free. When it hurts: the row numbers are arrays as
// long as the batch's nodes and edges, so that large graphs are copied sooner as whole pieces.
//
// A row measures features (16 numbers a node) and edges (four a node) of a batch.
//
// Answer: About 1,280 operators against 89, as the row counts them with those that operators call. In Python,
// where each of ours costs several microseconds, that is most of the collating; here, in C++, a call is cheap
// and the row numbers cost time too, so that little is saved, and with few graphs nothing.

#include "microbench/tip.hpp"
#include "microbench/values.hpp"

#include <utility>

namespace microbench::gnn_collate_lists {

constexpr Axis axes[] = {{.name = "batch", .about = "graphs of 20 to 59 nodes", .values = {16, 256}}};
constexpr std::int64_t graphs = 1024;
constexpr std::int64_t width = 16;
constexpr std::int64_t edges_of_node = 4;

/// The nodes of each graph.
at::Tensor graph_sizes() { return at::arange(graphs).mul(7).remainder(40).add(20); }

/// Pieces of an array: where each begins, and how long it is.
struct Pieces {
  at::Tensor begins, counts;  // [graphs]

  explicit Pieces(const at::Tensor& lengths) : begins(lengths.cumsum(0) - lengths), counts(lengths) {}
};

/// The places of the chosen pieces, one piece after the other, and how much further forward each now stands.
std::pair<at::Tensor, Pieces> places_of(const Pieces& all, const at::Tensor& chosen) {
  Pieces now(all.counts.index_select(0, chosen));
  const auto moved = all.begins.index_select(0, chosen) - now.begins;
  const auto each = moved.repeat_interleave(now.counts);
  return {at::arange(each.size(0), at::kLong) + each, now};
}

struct State {
  State(const Setup& setup, std::int64_t batch)
      : nodes(graph_sizes()),
        edges(graph_sizes() * edges_of_node),
        chosen(at::arange(batch).mul(37).remainder(graphs)) {
    const auto* sizes = nodes.counts.const_data_ptr<std::int64_t>();
    for (std::int64_t graph = 0; graph < graphs; ++graph) {
      const auto count = sizes[graph];
      feature_list.push_back(normal_values(setup, {count, width}, static_cast<std::uint64_t>(graph)));
      edge_list.push_back(at::arange(2 * edges_of_node * count).mul(13).remainder(count).view({2, -1}));
    }
    all_features = at::cat(feature_list);
    all_edges = at::cat(edge_list, 1);
  }

  void collate_lists() {
    std::vector<at::Tensor> features_of_batch, edges_of_batch;
    std::int64_t before = 0;
    const auto* graph = chosen.const_data_ptr<std::int64_t>();
    for (std::int64_t i = 0; i < chosen.size(0); ++i) {
      const auto g = static_cast<std::size_t>(graph[i]);
      features_of_batch.push_back(feature_list[g]);
      edges_of_batch.push_back(edge_list[g] + before);
      before += feature_list[g].size(0);
    }
    features = at::cat(features_of_batch);
    links = at::cat(edges_of_batch, 1);
  }

  void collate_arrays() {
    const auto [rows, of_nodes] = places_of(nodes, chosen);
    const auto [columns, of_edges] = places_of(edges, chosen);
    features = all_features.index_select(0, rows);
    links = all_edges.index_select(1, columns) + of_nodes.begins.repeat_interleave(of_edges.counts);
  }

  std::vector<at::Tensor> feature_list, edge_list;
  at::Tensor all_features, all_edges;
  Pieces nodes, edges;
  at::Tensor chosen, features, links;
};

Trial prepare(Setup& setup, const Point& point) {
  const auto s = std::make_shared<State>(setup, point["batch"]);
  return {
      .naive = [s] { s->collate_lists(); },
      .optimized = [s] { s->collate_arrays(); },
      .clear = [s] { s->features = s->links = at::full({1}, -1.F); },
      .answer = [s](Form) -> Answer {
        return numbers_of(at::cat({s->features.view(-1), s->links.reshape(-1).to(at::kFloat)}));
      },
  };
}

extern constexpr Step step = checked({
    .id = "gnn/collate_lists",
    .claim =
        "A batch of graphs is made faster out of arrays of all graphs than out of a list of small tensors.",
    .sides = {"list", "arrays"},
    .source = {"PyTorch Geometric", "https://github.com/pyg-team/pytorch_geometric/issues/572", "issue 572"},
    .runs = Runs::host,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
});

}  // namespace microbench::gnn_collate_lists
