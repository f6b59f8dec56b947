// Features of which each rank has a part: it asks the others for the rows that it lacks.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>

namespace harness::inline libtorch {

class Rank;  // harness/libtorch/rank.hpp

}

namespace workloads::sage {

class PartitionedFeatures {
 public:
  /// Keeps the rank's part of the rows, neighbours by number, on the device.
  PartitionedFeatures(const at::Tensor& features, std::shared_ptr<const harness::Rank> rank,
                      at::Device device);

  /// The rows of the nodes, on the device, from whoever has them. All ranks call it at the same time.
  at::Tensor rows(const at::Tensor& nodes) const;

 private:
  std::shared_ptr<const harness::Rank> rank_;
  std::int64_t rows_of_rank_;
  at::Tensor own_;
};

}  // namespace workloads::sage
