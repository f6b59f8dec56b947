// What a configuration asks of a data set: another neighbour rule, labels of graphs.
#pragma once

#include "workloads/stgym/data/dataset.hpp"
#include "workloads/stgym/space/configuration.hpp"

#include <cstdint>

namespace workloads::stgym {

/// Labels each graph by the mean class number of its nodes: the graphs in the order of that mean, in
/// `classes` parts of equal size. A label that a model can learn from features, since classes depend on them.
void label_graphs(Dataset& dataset, std::int64_t classes);

/// The neighbour rule and, for a classification of graphs whose nodes are labelled, labels of graphs.
/// `radius` is left as it is.
void configure(Dataset& dataset, const space::Configuration& configuration);

}  // namespace workloads::stgym
