// Kernels that differ in how they read memory. All arrays lie on the device.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace microbench {

/// Queues out[i] = in[offset + i * stride] for i < n; n > 0.
cudaError_t queue_strided_copy(float* out, const float* in, std::size_t n, std::size_t stride,
                               std::size_t offset, cudaStream_t stream);

/// Queues out[offset + i * stride] = in[i] for i < n; n > 0. What lies between stays as it is.
cudaError_t queue_spread(float* out, const float* in, std::size_t n, std::size_t stride, std::size_t offset,
                         cudaStream_t stream);

/// Queues, `passes` times over in one kernel each, stream[i] += hot[i % hot_values] for i < n; n, hot_values
/// > 0.
cudaError_t queue_hot_sums(float* stream_values, std::size_t n, const float* hot, std::size_t hot_values,
                           int passes, cudaStream_t stream);

/// Where a block of threads keeps what it works on.
enum class Tile { none, shared };

/// Queues the transpose of an n x n matrix; n is a multiple of 32.
cudaError_t queue_transpose(float* out, const float* in, unsigned n, Tile tile, cudaStream_t stream);

/// Queues out = a b of n x n matrices; n is a multiple of 32. Both kinds add up in the same order.
cudaError_t queue_product(float* out, const float* a, const float* b, unsigned n, Tile tile,
                          cudaStream_t stream);

/// A quarter of the 64 KiB of constant memory that a device has.
constexpr unsigned table_size = 4096;

/// Queues the copy of a table of `table_size` floats into the module's constant memory.
cudaError_t queue_table_upload(const float* table_on_host, cudaStream_t stream);

/// Queues, for each of n values, the sum of `reads` entries of the table. The threads of a warp read the same
/// entry where `spread` is 0, entries `spread` apart where it is not. From constant memory where `table` is
/// null, else from `table`.
cudaError_t queue_lookups(float* out, std::size_t n, int reads, unsigned spread, const float* table,
                          cudaStream_t stream);

}  // namespace microbench
