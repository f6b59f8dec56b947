// How a data set lies in memory that processes share.
#pragma once

#include "workloads/stgym/data/dataset.hpp"

#include <cstddef>
#include <cstdint>

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

/// Views of the arrays behind a head.
struct DatasetArrays {
  explicit DatasetArrays(std::byte* memory);

  const DatasetHead& head;
  std::int64_t *offsets, *labels;
  float *position, *x;
};

/// Copies head and arrays of a data set that lies on the host; `memory` has head_of(dataset).bytes().
void write_dataset(const Dataset& dataset, std::byte* memory);

/// Views of memory that was written so; valid as long as the memory.
Dataset dataset_in(std::byte* memory);

}  // namespace workloads::stgym
