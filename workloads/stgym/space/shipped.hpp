// The configurations that come with the program: workloads/stgym/configurations, embedded when it was built.
// And whether a configuration is the model that was published: then every rung of the ladder has its slow and
// its fast form.
#pragma once

#include "workloads/stgym/space/configuration.hpp"

#include <span>

namespace workloads::stgym::space {

struct Shipped {
  std::string_view name;  // "benchmark" of benchmark.json
  std::string_view text;
};

/// Sorted by name.
std::span<const Shipped> shipped_configurations();

/// The published benchmark: what is trained where nobody says otherwise.
Configuration benchmark_configuration();

/// One GIN layer with ReLU, MinCut pooling, and a classifier of nodes with ReLU or of two classes of graphs
/// with PReLU behind a mean; nothing else but widths and clusters may differ.
bool has_published_shape(const Configuration& configuration);

}  // namespace workloads::stgym::space
