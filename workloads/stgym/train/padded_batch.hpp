// A batch in memory that stays where it is, as long as a bucket says: what a captured step reads.
#pragma once

#include "workloads/stgym/train/batch.hpp"

#include <compare>
#include <cstdint>
#include <vector>

namespace workloads::stgym {

/// Room for a batch of so many graphs: more nodes than it has, and at least as many edges.
struct Bucket {
  std::int64_t graphs = 0;
  std::int64_t nodes = 0;
  std::int64_t edges = 0;
  auto operator<=>(const Bucket&) const = default;
};

/// The smallest bucket for so many: nodes in steps of 4,096, edges in powers of two from 1,024. So a data set
/// has few of them, and less than 4,096 of a full-size batch's 71,900 rows are padding.
Bucket smallest_bucket(const Bucket& needed);

/// The bucket for these graphs as a batch.
Bucket bucket_for(const std::vector<GraphItem>& graphs);

class PaddedBatch {
 public:
  /// The first batch decides about device, features, and whether nodes or graphs are labelled.
  PaddedBatch(const Bucket& bucket, const std::vector<GraphItem>& first);

  /// Copies the graphs in. What is left is padding that changes neither loss nor gradient: nodes without
  /// features behind the last graph, whose label is ignored, and edges of weight 0 from each of them to
  /// itself, over and over. Throws c10::Error where they do not fit the bucket.
  void fill(const std::vector<GraphItem>& graphs);

  /// Always the same tensors. `sizes` has the right length, but its numbers are those of the first graphs.
  const Batch& batch() const { return batch_; }

 private:
  Bucket bucket_;
  Batch batch_;
};

}  // namespace workloads::stgym
