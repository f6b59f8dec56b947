#include "harness/cuda/launch_work.hpp"

#include "microbench/autograd/pointwise_chain.hpp"

namespace microbench {
namespace {

__host__ __device__ float next(float v) { return v / (1.0F + fabsf(v)); }

__host__ __device__ float slope(float v) {
  const float root = 1.0F / (1.0F + fabsf(v));
  return root * root;
}

__host__ __device__ void forward_at(const PointwiseChain& c, std::size_t i) {
  float v = c.x[i];
  for (int k = 0; k < c.length; ++k) {
    if (c.kept != nullptr) c.kept[std::size_t(k) * c.n + i] = v;
    v = next(v);
  }
  c.y[i] = v;
}

__host__ __device__ void backward_at(const PointwiseChain& c, std::size_t i) {
  float gradient = c.of_y[i];
  if (c.kept != nullptr) {
    for (int k = 0; k < c.length; ++k) gradient *= slope(c.kept[std::size_t(k) * c.n + i]);
  } else {
    float v = c.x[i];
    for (int k = 0; k < c.length; ++k) {
      gradient *= slope(v);
      v = next(v);
    }
  }
  c.of_x[i] = gradient;
}

__global__ void chain_forward(PointwiseChain chain) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < chain.n) forward_at(chain, i);
}

__global__ void chain_backward(PointwiseChain chain) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < chain.n) backward_at(chain, i);
}

constexpr unsigned threads = 256;

unsigned blocks_for(std::size_t n) { return static_cast<unsigned>((n + threads - 1) / threads); }

/// Of `arrays` of n floats and what is kept; `operations` for each function of each value.
void say_work(const PointwiseChain& c, int arrays, double operations) {
  const double kept = c.kept != nullptr ? c.length : 0;
  const auto values = static_cast<double>(c.n);
  harness::next_launch_does(sizeof(float) * values * (arrays + kept), values * c.length * operations);
}

}  // namespace

cudaError_t queue_chain_forward(const PointwiseChain& chain, cudaStream_t stream) {
  say_work(chain, 2, 1 + harness::exact_operation);
  chain_forward<<<blocks_for(chain.n), threads, 0, stream>>>(chain);
  return cudaGetLastError();
}

cudaError_t queue_chain_backward(const PointwiseChain& chain, cudaStream_t stream) {
  const bool again = chain.kept == nullptr;  // makes each value once more, from x
  const double of_slope = 3 + harness::exact_operation;
  say_work(chain, again ? 3 : 2, again ? of_slope + 1 + harness::exact_operation : of_slope);
  chain_backward<<<blocks_for(chain.n), threads, 0, stream>>>(chain);
  return cudaGetLastError();
}

void run_chain_forward(const PointwiseChain& chain) {
  for (std::size_t i = 0; i < chain.n; ++i) forward_at(chain, i);
}

void run_chain_backward(const PointwiseChain& chain) {
  for (std::size_t i = 0; i < chain.n; ++i) backward_at(chain, i);
}

}  // namespace microbench
