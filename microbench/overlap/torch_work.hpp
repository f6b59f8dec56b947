// Work of LibTorch's kernels to copy beside: bound by arithmetic or by the device's memory.
#pragma once

#include <ATen/ATen.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace microbench {

/// out = a b, or out = a + b, so many times over. The values are small whole numbers: every sum is exact.
struct TorchWork {
  static constexpr std::int64_t product_side = 2048;
  static constexpr std::int64_t add_side = 8192;  // 256 MiB a matrix, more than any cache holds

  TorchWork(bool as_product, at::Device device) : product(as_product) {
    const auto n = product ? product_side : add_side;
    const auto options = at::TensorOptions().device(device).dtype(at::kFloat);
    a = at::arange(n * n, options).remainder_(7).view({n, n});
    b = at::arange(n * n, options).remainder_(5).view({n, n});
    out = at::empty({n, n}, options);
  }
  void run() {
    for (int i = 0; i < times; ++i) {
      if (product)
        at::mm_out(out, a, b);
      else
        at::add_out(out, a, b);
    }
  }
  /// The bytes, and behind them those of the result.
  std::vector<std::byte> appended_to(std::vector<std::byte> bytes) const {
    const auto host = out.cpu();
    const auto* first = static_cast<const std::byte*>(host.const_data_ptr());
    bytes.insert(bytes.end(), first, first + host.nbytes());
    return bytes;
  }

  bool product;
  int times = 1;
  at::Tensor a, b, out;
};

}  // namespace microbench
