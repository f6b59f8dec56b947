// LibTorch's operators captured into a graph, with the memory that their results need.
#pragma once

#include <cuda_runtime_api.h>

#include <ATen/cuda/CUDAGraph.h>

#include <functional>
#include <memory>

namespace harness::inline libtorch {

/// The graph of what `work` queues on LibTorch's current stream. Libraries set themselves up at their first
/// call, which a capture forbids, so `rehearse` is run before: empty, `work` itself a few times. Results that
/// `work` allocates lie in `pool`, one of the graph's own unless several share it, and keep their addresses.
///
/// Throws what `work` throws first, and LibTorch's error where the capture itself fails. Stream, allocator
/// and generator are then out of the capture; what else of LibTorch a failed capture leaves behind is not
/// known, so a worker that met one measures no further row.
std::unique_ptr<at::cuda::CUDAGraph> captured(const std::function<void()>& work,
                                              const std::function<void()>& rehearse = {},
                                              c10::MempoolId_t pool = at::cuda::graph_pool_handle());

}  // namespace harness::inline libtorch
