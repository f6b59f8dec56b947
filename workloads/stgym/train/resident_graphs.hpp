// A data set that lies on the device, as kernels read it where it lies: what stgym/rows_in_place switches to.
#pragma once

#include "workloads/stgym/data/batch.hpp"
#include "workloads/stgym/data/graph_dataset.hpp"
#include "workloads/stgym/space/configuration.hpp"
#include "workloads/stgym/space/stgym_switches.hpp"

namespace workloads::stgym {

class ResidentGraphs {
 public:
  /// Throws c10::Error where an edge has no edge back.
  ResidentGraphs(std::shared_ptr<const Dataset> dataset, const Neighbourhoods& built);

  /// These graphs as a batch of row numbers: one launch, no copy.
  Batch batch(const std::vector<std::int64_t>& graphs) const;
  /// The same with room for `nodes` nodes; those behind the last graph change neither loss nor gradient.
  Batch padded(const std::vector<std::int64_t>& graphs, std::int64_t nodes) const;
  /// Writes other graphs into what padded() gave. Throws c10::Error where they do not fit.
  void fill(const Batch& batch, const std::vector<std::int64_t>& graphs) const;

  std::int64_t nodes(const std::vector<std::int64_t>& graphs) const;

 private:
  std::shared_ptr<const Dataset> dataset_;
  std::shared_ptr<const ResidentNeighbours> neighbours_;
};

/// Graphs and their neighbours by number.
struct GraphsByNumber {
  std::shared_ptr<const Dataset> dataset;
  std::shared_ptr<const Neighbourhoods> built;
};

/// True if batches of so many graphs can be lists of rows: the form has rows_in_place and the rungs that it
/// stands on, and its data on a device; it is the published classifier of nodes, and the kernels hold it.
bool reads_rows(const Dataset& dataset, const Switches& switches, const space::Configuration& configuration,
                std::int64_t batch_size);

/// What a model reads its batches from, if they can be; else empty.
std::shared_ptr<const ResidentGraphs> resident_graphs(const GraphsByNumber& graphs, const Switches& switches,
                                                      const space::Configuration& configuration,
                                                      std::int64_t batch_size);

}  // namespace workloads::stgym
