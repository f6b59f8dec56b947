// Is a configuration the model that was published? Then every rung of the ladder has its slow and its fast
// form.
#pragma once

#include "workloads/stgym/space/configuration.hpp"

namespace workloads::stgym::space {

/// One GIN layer with ReLU, MinCut pooling, and a classifier of nodes with ReLU or of two classes of graphs
/// with PReLU behind a mean; nothing else but widths and clusters may differ.
bool has_published_shape(const Configuration& configuration);

}  // namespace workloads::stgym::space
