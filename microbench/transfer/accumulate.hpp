// A kernel that reads its input once, wherever that lies.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace microbench {

/// Input is read in pieces of so many neighbouring floats: a whole page, so that every read is coalesced.
inline constexpr std::size_t accumulate_piece = 1024;

/// Queues, for every `step`-th piece of n floats, out = in where `first`, else out = out / 2 + in. `in` is
/// any memory that the device can read, mapped memory of the host too; `out` lies on the device. Every call
/// reads the input anew. n > 0 is a multiple of accumulate_piece, step > 0. Rounded as IEEE 754 asks.
cudaError_t queue_accumulate(const float* in, float* out, std::size_t n, std::size_t step, bool first,
                             cudaStream_t stream);

}  // namespace microbench
