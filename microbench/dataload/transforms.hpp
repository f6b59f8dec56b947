// What is done to a sample before the training sees it: points get neighbours, features one scale.
#pragma once

#include "harness/libtorch/generator.hpp"

#include <ATen/ATen.h>

#include <cstdint>
#include <tuple>

namespace microbench {

/// [nodes, width], the same for the same seed, on the host.
inline at::Tensor random_features(std::int64_t nodes, std::int64_t width, std::uint64_t seed) {
  auto random = harness::host_generator(seed);
  return at::randn({nodes, width}, random, at::TensorOptions().dtype(at::kFloat));
}

/// For each point the indices of the `k` nearest others, [nodes, k]. All distances are computed, by
/// differences: the products that LibTorch uses by default for many points round near ones away.
inline at::Tensor nearest(const at::Tensor& points, std::int64_t k) {
  constexpr std::int64_t by_differences = 2;
  const auto distances = at::cdist(points, points, 2.0, by_differences);
  const auto indices = std::get<1>(at::topk(distances, k + 1, 1, /*largest=*/false));
  return indices.narrow(1, 1, k).contiguous();  // each is its own nearest
}

/// How far away these neighbours are, [nodes, k].
inline at::Tensor distances_to(const at::Tensor& points, const at::Tensor& neighbours) {
  const auto there = points.index_select(0, neighbours.flatten());
  const auto gathered = there.view({neighbours.size(0), neighbours.size(1), points.size(1)});
  return (gathered - points.unsqueeze(1)).square().sum(2).sqrt();
}

/// Each column with mean 0 and variance 1.
inline at::Tensor normalized(const at::Tensor& features) {
  const auto centred = features - features.mean(0);
  return centred / centred.square().mean(0).sqrt();
}

}  // namespace microbench
