// The same values side by side and spread out, and the host's copy of either.
#pragma once

#include "microbench/memory/device_floats.hpp"

namespace microbench {

/// Spread out, value i lies at offset + i * stride, with others between.
struct SpreadValues {
  SpreadValues(std::size_t n, std::size_t stride, std::size_t offset, std::uint64_t seed)
      : packed(random_floats(n, seed)), spread(offset + n * stride, 7.0F) {
    for (std::size_t i = 0; i < n; ++i) spread[offset + i * stride] = packed[i];
  }
  std::vector<float> packed, spread;
};

/// out[i] = in[i * stride] for all of out.
inline void copy_strided(std::vector<float>& out, const std::vector<float>& in, std::size_t stride) {
  const auto* from = in.data();
  for (auto& value : out) {
    value = *from;
    from += stride;
  }
}

}  // namespace microbench
