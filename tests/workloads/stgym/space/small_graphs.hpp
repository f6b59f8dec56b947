// Small batches, made up.
#pragma once

#include "harness/libtorch/generator.hpp"

#include "workloads/stgym/data/batch.hpp"

#include <ATen/ATen.h>

#include <cstdint>
#include <vector>

namespace tests {

/// Draws the same numbers in every run.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed, at::ScalarType type = at::kDouble)
      : random_(harness::host_generator(seed)), type_(type) {}
  /// From -1 to 1.
  at::Tensor signed_numbers(at::IntArrayRef shape) {
    return at::empty(shape, at::kDouble).uniform_(-1, 1, random_).to(type_);
  }
  /// From 0.5 to 1.5.
  at::Tensor weights(at::IntArrayRef shape) { return 1 + signed_numbers(shape) / 2; }

 private:
  at::Generator random_;
  at::ScalarType type_;
};

/// Graphs of these sizes, each a ring with a chord where it has nodes enough; one of a single node has no
/// edge. Labels are 0, 1, 0 .. per node, or per graph.
inline workloads::stgym::Batch rings(const std::vector<std::int64_t>& sizes, std::int64_t features,
                                     bool label_graphs, at::ScalarType type = at::kDouble) {
  Numbers numbers(5, type);
  workloads::stgym::Batch batch;
  std::vector<std::int64_t> from, to;
  std::int64_t first = 0;
  const auto join = [&](std::int64_t a, std::int64_t b) {
    from.insert(from.end(), {first + a, first + b});
    to.insert(to.end(), {first + b, first + a});
  };
  for (const auto n : sizes) {
    for (std::int64_t i = 0; i + 1 < n; ++i) join(i, i + 1);
    if (n > 2) join(n - 1, 0);
    if (n > 4) join(0, 2);
    first += n;
  }
  batch.x = numbers.signed_numbers({first, features});
  batch.edges = at::stack({at::tensor(from, at::kLong), at::tensor(to, at::kLong)});
  batch.adjacency = workloads::stgym::adjacency_of(batch.edges, first).to(type).coalesce();
  batch.edges = batch.adjacency.indices();  // in order, as the data set has them
  batch.sizes = sizes;
  batch.graph_of = at::repeat_interleave(at::tensor(sizes, at::kLong));
  batch.y = at::arange(label_graphs ? static_cast<std::int64_t>(sizes.size()) : first, at::kLong) % 2;
  return batch;
}

}  // namespace tests
