// Compiled with -G, the device's debug build: see the source property in microbench/CMakeLists.txt.
#include "microbench/memory/math.hpp"
#include "microbench/memory/math_rounds.cuh"

namespace microbench {

cudaError_t queue_math_debug(float* out, const float* in, std::size_t n, int rounds, cudaStream_t stream) {
  return launch_math(out, in, n, rounds, stream);
}

}  // namespace microbench
