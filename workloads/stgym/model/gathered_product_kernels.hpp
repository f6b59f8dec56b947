// Products with rows of a matrix that are picked by number and never copied together: plain pointers and
// sizes, no LibTorch.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace workloads::stgym {

/// N rows of `x` in the order of `rows`, each of F numbers; H outputs. F and H are multiples of 4.
struct PickedRows {
  const float* x = nullptr;
  const std::int64_t* rows = nullptr;  // [N]: a row of x, or -1, which counts as a row of zeros
  std::int64_t count = 0;              // N
  std::int64_t width = 0;              // F
};

/// out [N, H] = picked W'; weight is [H, F].
struct GatheredProduct {
  PickedRows picked;
  const float* weight = nullptr;
  float* out = nullptr;
  std::int64_t outputs = 0;  // H
};

void launch_gathered_product(const GatheredProduct& args, cudaStream_t stream);

/// The weight's gradient in `parts` sums over rows: partial [parts, H, F]; gradient is [N, H].
struct GatheredGradient {
  PickedRows picked;
  const float* gradient = nullptr;
  float* partial = nullptr;
  std::int64_t outputs = 0;  // H
  int parts = 1;
};

void launch_gathered_gradient(const GatheredGradient& args, cudaStream_t stream);

}  // namespace workloads::stgym
