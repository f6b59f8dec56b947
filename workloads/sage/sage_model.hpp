// GraphSAGE (Hamilton, Ying, Leskovec 2017) with the mean of neighbours, layer by layer on a sampled graph.
#pragma once

#include "workloads/sage/sage_switches.hpp"
#include "workloads/training/network.hpp"

#include <numeric>

namespace workloads::sage {

/// What the layers read of a batch, on one device. Of `targets` and `offsets` a form has one.
struct Subgraph {
  at::Tensor sources = {};  // [edges], sorted by target
  at::Tensor targets = {};  // [edges]
  at::Tensor offsets = {};  // [nodes + 1]: where a target's edges begin
  std::vector<std::int64_t> nodes_by_hop = {};
  std::vector<std::int64_t> edges_by_hop = {};

  std::int64_t nodes() const { return std::reduce(nodes_by_hop.begin(), nodes_by_hop.end()); }

  /// The first nodes, whose neighbours were drawn: all but the last hop's.
  std::int64_t expanded() const { return nodes() - nodes_by_hop.back(); }
};

/// The first edges, which lead into the first nodes.
struct Span {
  std::int64_t targets = 0;
  std::int64_t edges = 0;
};

struct Widths {
  std::int64_t features = 0;
  std::int64_t hidden = 0;
  std::int64_t classes = 0;
  int layers = 3;
};

/// W_l times the mean of the neighbours, plus b_l, plus W_r times the node itself.
class SageLayer {
 public:
  SageLayer(training::State& state, const std::string& name, std::int64_t in, std::int64_t out);
  at::Tensor operator()(const at::Tensor& x, const Subgraph& graph, const Span& span) const;

 private:
  at::Tensor neighbours_weight_, bias_, own_weight_;
};

class Model {
 public:
  Model(const Widths& widths, at::TensorOptions options);

  /// Logits [seeds, classes] of features [nodes, features].
  at::Tensor forward(const at::Tensor& features, const Subgraph& graph, bool trim) const;

  const training::NamedTensors& parameters() const { return state_.parameters(); }

 private:
  training::State state_;
  std::vector<SageLayer> layers_;
};

/// What a layer has to compute where `hops` layers follow: nodes that are as many hops away at most.
Span trimmed(const Subgraph& graph, std::int64_t hops);

}  // namespace workloads::sage
