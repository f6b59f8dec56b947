#include "microbench/launch/plain_add.hpp"

namespace microbench {

void plain_add(float* out, const float* a, const float* b, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] = a[i] + b[i];
}

}  // namespace microbench
