// A data set and the batches of a pass in memory that processes share, and how they lie there: the
// parent's, which its loader workers and all later processes of its session map. It has no name in the file
// system, so nothing of it outlives the processes.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/support/channel.hpp"

#include "workloads/stgym/data/graph_dataset.hpp"
#include "workloads/stgym/train/graph_loading.hpp"

namespace workloads::stgym {

/// The memory begins with this; the arrays follow in the order of DatasetArrays. `written` and `key` are for
/// whoever shares the memory.
struct DatasetHead {
  std::int64_t written = 0;
  std::uint64_t key = 0;
  std::int64_t nodes = 0, features = 0, graphs = 0, labels = 0, classes = 0;
  std::int64_t task = 0, rule = 0, k = 0;
  double radius_ratio = 0, radius = 0;
  char name[64] = {}, source[256] = {};  // cut where they are longer: for messages only

  /// Of all: head and arrays.
  std::size_t bytes() const;
};

DatasetHead head_of(const Dataset& dataset);

class MappedDataset {
 public:
  /// Of a data set on the host: shares its `shared_memory`; copies it where it has none.
  explicit MappedDataset(const Dataset& dataset);
  /// Maps what another process made, by its path(). Throws std::system_error where that is gone.
  explicit MappedDataset(const std::string& path);

  /// Where other processes find both while this one lives: its descriptors below /proc.
  std::string path() const;
  /// Views of the mapped memory, in a process that opened it by path; valid as long as this object.
  Dataset dataset() const;

  /// The batches of a pass, for the workers to read. Each graph belongs to one batch at most.
  void write(const Batches& batches) const;
  /// The graphs of one batch of that pass.
  std::vector<std::int64_t> graphs(std::int64_t batch) const;

 private:
  std::span<std::int64_t> lists() const;

  harness::Fd data_;
  harness::Fd lists_;                           // each batch's length and its graphs
  std::optional<harness::SharedBytes> mapped_;  // of data_; the parent has its own view of them
  harness::SharedBytes mapped_lists_;
};

/// The data set that the options ask for, on the host. A round is a fresh process, and making the data anew
/// in each would take longer than measuring; so they lie in the session's memory (`Setup::session_memory`),
/// which has no name and ends with the session. Made privately where there is none, where there is not room
/// for it, or where the memory already holds data of other options. Throws what load_dataset throws.
Dataset session_dataset(const harness::Setup& setup);

}  // namespace workloads::stgym
