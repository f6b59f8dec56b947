#pragma once

#include <cstddef>

namespace microbench {

/// out[i] = a[i] + b[i]: a call and a loop, nothing else. In a file of its own, so that it stays a call.
void plain_add(float* out, const float* a, const float* b, std::size_t n);

}  // namespace microbench
