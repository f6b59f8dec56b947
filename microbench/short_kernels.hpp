// Kernels that do little: what is measured is starting them.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace microbench {

/// Queues values[i] += 1 for n > 0 floats in device memory. Below 2^24 the sum is exact, so that the values
/// count the launches.
cudaError_t queue_increment(float* values, std::size_t n, cudaStream_t stream);

/// Queues out[i] = a[i] + b[i] for n > 0 floats in device memory.
cudaError_t queue_add(float* out, const float* a, const float* b, std::size_t n, cudaStream_t stream);

/// Queues out[i] = factor * in[i] for n > 0 floats in device memory; the factor is an argument of the launch.
cudaError_t queue_scale(float* out, const float* in, float factor, std::size_t n, cudaStream_t stream);

/// The same with a factor that lies in device memory and is read when the kernel runs.
cudaError_t queue_scale_by(float* out, const float* in, const float* factor, std::size_t n,
                           cudaStream_t stream);

constexpr unsigned partial_sums = 64;

/// Queues sums[b] = the b-th part of the sum of the first `*count` <= n of n > 0 floats, for each of
/// partial_sums parts; all pointers into device memory. All n values are read, those from *count on count as
/// nothing, so that the order of the additions, and with it every bit, is the same for any n.
cudaError_t queue_masked_sums(float* sums, const float* values, const int* count, std::size_t n,
                              cudaStream_t stream);

}  // namespace microbench
