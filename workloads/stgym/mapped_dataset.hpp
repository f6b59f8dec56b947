// A data set in memory that processes share: written once by the parent, mapped by its loader workers. The
// memory has no name in the file system, so nothing of it outlives the processes.
#pragma once

#include "harness/loader/channel.hpp"

#include "workloads/stgym/data/dataset.hpp"
#include "workloads/stgym/loading.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace workloads::stgym {

class MappedDataset {
 public:
  /// Copies a data set that lies on the host.
  explicit MappedDataset(const Dataset& dataset);
  /// Maps what another process made, by its path(). Throws std::system_error where that is gone.
  explicit MappedDataset(const std::string& path);

  /// Where other processes find it while this one lives: the descriptor below /proc.
  std::string path() const;
  /// Views of the mapped memory; valid as long as this object.
  Dataset dataset() const;

  /// The batches of a pass, for the workers to read. Each graph belongs to one batch at most.
  void write(const Batches& batches) const;
  /// The graphs of one batch of that pass.
  std::vector<std::int64_t> graphs(std::int64_t batch) const;

 private:
  harness::loader::Descriptor memory_;
  harness::loader::SharedBytes bytes_;
};

}  // namespace workloads::stgym
