// What a configuration needs so that a rung has a slow form and a fast one. No LibTorch.
#pragma once

#include <string>

namespace workloads::stgym::space {

struct Configuration;

/// Why the rung has nothing to change in the configuration's model, or does not know it; "" it has.
using Needs = std::string (*)(const Configuration&);

/// Of what changes how batches are made, evaluated or stepped: it holds for whatever is trained.
std::string any_model(const Configuration& configuration);

std::string needs_published_model(const Configuration& configuration);
std::string needs_pooling(const Configuration& configuration);
/// The kernel takes the data set's own graphs: the weights of pooled ones have gradients.
std::string needs_mincut_first(const Configuration& configuration);
std::string needs_pooling_last(const Configuration& configuration);
/// Of what may overwrite its input: the ReLU inside GIN, the SELU behind a pooling, ReLU and swish.
std::string needs_activation(const Configuration& configuration);
std::string needs_sum_before_product(const Configuration& configuration);
std::string needs_narrow_pooling(const Configuration& configuration);
/// Padding is proven to change neither loss nor gradient for that model alone. A batch norm, for one, would
/// count padded rows.
std::string needs_published_shape(const Configuration& configuration);
std::string needs_published_layers(const Configuration& configuration);
std::string needs_classified_nodes(const Configuration& configuration);
/// The kernels that pool rows in place hold what fused_pooling's hold.
std::string needs_rows(const Configuration& configuration);
std::string needs_compiled_model(const Configuration& configuration);

}  // namespace workloads::stgym::space
