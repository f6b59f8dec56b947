// A copy that the device's multiprocessors make, to hold against its copy engines.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace microbench {

/// Queues a kernel that copies so many bytes, a multiple of 16, between addresses that the device can reach;
/// both are multiples of 16. As many blocks as given share the work.
cudaError_t queue_sm_copy(std::byte* to, const std::byte* from, std::size_t bytes, unsigned blocks,
                          cudaStream_t stream);

}  // namespace microbench
