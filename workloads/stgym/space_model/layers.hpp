// The layers of the design space's models, each as PyTorch Geometric defines it: linear maps, message
// passing, what follows a layer's map, and the readout. N nodes, E edges.
#pragma once

#include "workloads/stgym/model/published_model.hpp"
#include "workloads/stgym/space/configuration.hpp"
#include "workloads/stgym/space/stgym_switches.hpp"

#include <ATen/core/Generator.h>
#include <c10/core/TensorOptions.h>

namespace workloads::stgym::space {

/// Makes parameters and draws their first values as PyTorch's modules do, in the order of the calls. Draws on
/// the host in single precision, so that one seed gives the same values on every device.
class ParameterSource {
 public:
  /// `placement`: device and type of the parameters.
  ParameterSource(std::uint64_t seed, const at::TensorOptions& placement,
                  training::LibrariesOf libraries = {});

  /// torch.nn.Linear: weight [outputs, inputs] and bias uniform within 1 / sqrt(inputs).
  Linear linear(std::int64_t inputs, std::int64_t outputs, bool has_bias = true);
  /// [outputs, inputs], uniform within sqrt(6 / (inputs + outputs)): Glorot's.
  at::Tensor glorot(std::int64_t inputs, std::int64_t outputs);
  /// [width], all `value`.
  at::Tensor filled(std::int64_t width, double value) const;
  /// The same for what is learned without gradients, as running means are.
  at::Tensor buffer(std::int64_t width, double value) const;

 private:
  at::Tensor uniform(at::IntArrayRef shape, double bound);

  at::Generator random_;
  at::TensorOptions placement_;
  training::LibrariesOf libraries_;
};

/// Adds `NAME.weight` and, where there is one, `NAME.bias`.
void add_to(NamedTensors& all, const std::string& name, const Linear& linear);

/// The layer's map, multiplied as the switches ask for. With bf16 the product alone is BF16: what is given
/// and returned is FP32, so that sums over neighbours and the losses of poolings keep their digits.
at::Tensor multiply(const Linear& linear, const at::Tensor& x, const Switches& switches);

/// Training: batch norm with the statistics of the batch, which it also learns, and dropout. Evaluation:
/// batch norm with what it has learned, no dropout.
enum class Mode { training, evaluation };

class Finish {
 public:
  Finish(const Style& style, std::int64_t width, ParameterSource& source);

  /// [N, width] -> [N, width]. May overwrite x if the switches say so. Dropout draws from `random`. Throws
  /// std::runtime_error where a batch norm is to learn from a single row, which has no variance.
  at::Tensor operator()(at::Tensor x, const Switches& switches, Mode mode, at::Generator& random) const;

  /// Adds the parameters under PyTorch's names, `NAME.0.weight` and so on.
  void add_parameters(NamedTensors& all, const std::string& name) const;
  /// Adds running means and variances.
  void add_buffers(NamedTensors& all, const std::string& name) const;

 private:
  at::Tensor norm(const at::Tensor& x, Mode mode) const;
  at::Tensor drop(const at::Tensor& x, at::Generator& random) const;
  at::Tensor activate(at::Tensor x, const Switches& switches) const;

  Style style_;
  at::Tensor scale_, shift_, mean_, variance_;  // of the batch norm, if any: [width]
  at::Tensor slope_;                            // of PReLU, if any: [1]
};

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

/// Rows of `x` [N, F] belong to graphs: `graph_of` [N] int64, ascending; `sizes` [B] on the host, each above
/// 0. Returns [B, F]. Where several rows share a maximum, its gradient is shared out.
at::Tensor read_out(Readout readout, const at::Tensor& x, const at::Tensor& graph_of,
                    const std::vector<std::int64_t>& sizes);

}  // namespace workloads::stgym::space
