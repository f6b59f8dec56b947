// Message-passing layers, each as PyTorch Geometric defines it. N nodes, E edges.
#pragma once

#include "workloads/stgym/model/published_model.hpp"
#include "workloads/stgym/space/configuration.hpp"
#include "workloads/stgym/space/switches.hpp"
#include "workloads/stgym/space_model/linear.hpp"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <variant>

namespace workloads::stgym::space {

/// Messages go from `ends[0]` to `ends[1]`.
struct Edges {
  at::Tensor ends;          // [2, E] int64
  at::Tensor weights = {};  // [E]; undefined: all 1. GIN and GraphSAGE know of no weights
};

/// x' = MLP(x + sum of the neighbours' x), MLP = Linear - ReLU - Linear; eps = 0, biases always on.
struct Gin {
  Linear first, second;
  at::Tensor operator()(const at::Tensor& x, const Edges& edges, const Switches& switches) const;
};

/// x' = D^-1/2 (A + I) D^-1/2 x W' + b, D the degrees of A + I. A node's edge to itself stands in for I.
struct Gcn {
  Linear linear;
  at::Tensor operator()(const at::Tensor& x, const Edges& edges, const Switches& switches) const;
};

/// x' = W1 (mean of the neighbours' x) + b + W2 x; the mean of none is 0.
struct Sage {
  Linear neighbours, own;
  at::Tensor operator()(const at::Tensor& x, const Edges& edges, const Switches& switches) const;
};

using Convolution = std::variant<Gin, Gcn, Sage>;

Convolution make_convolution(const MpLayer& layer, std::int64_t inputs, ParameterSource& source);

/// [N, inputs] -> [N, width].
at::Tensor convolve(const Convolution& convolution, const at::Tensor& x, const Edges& edges,
                    const Switches& switches);

/// Adds the parameters in PyTorch Geometric's order and under its names.
void add_to(NamedTensors& all, const std::string& name, const Convolution& convolution);

}  // namespace workloads::stgym::space
