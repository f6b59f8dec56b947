#pragma once

#include "harness/cuda/check.hpp"
#include "harness/cuda/stream.hpp"

#include <cstddef>
#include <span>

namespace harness::inline cuda {

/// Queues the move of managed memory to a place. CUDA 13 takes a place where CUDA 12 takes the number of a
/// device: hence the template.
template <class Place>
void prefetch(const Place& place, std::span<std::byte> bytes, const Stream& stream) {
  if constexpr (requires { cudaMemPrefetchAsync(bytes.data(), bytes.size(), place, 0U, stream.get()); })
    check(cudaMemPrefetchAsync(bytes.data(), bytes.size(), place, 0U, stream.get()));
  else
    check(cudaMemPrefetchAsync(bytes.data(), bytes.size(), place.id, stream.get()));
}

}  // namespace harness::inline cuda
