// CUDA's device functions for the host: what generate.py's output calls in their place.
#pragma once

#include "stand_in/kernels/block.hpp"
#include "stand_in/runtime.hpp"

#include <cuda_runtime.h>

#include <bit>
#include <chrono>
#include <cmath>
#include <cstring>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>

namespace stand_in::kernels {

inline void syncthreads() { meet_block(); }

template <class T>
T shfl_sync(unsigned mask, T value, unsigned from) {
  static_assert(sizeof(T) <= sizeof(std::uint64_t));
  std::uint64_t* words = exchange();
  std::memcpy(&words[lane()], &value, sizeof value);
  meet_warp(mask);
  std::memcpy(&value, &words[from % 32U], sizeof value);
  return value;
}
template <class T>
T shfl_xor_sync(unsigned mask, T value, int other) {
  return shfl_sync(mask, value, lane() ^ static_cast<unsigned>(other));
}

inline float fmaf_rn(float a, float b, float c) { return std::fma(a, b, c); }
inline float fmul_rn(float a, float b) { return a * b; }
inline float fdiv_rn(float a, float b) { return a / b; }
inline float fsqrt_rn(float a) { return std::sqrt(a); }
template <class T>
T min(T a, T b) {
  return b < a ? b : a;
}
template <class T>
T atomicAdd(T* at, T value) {
  return __atomic_fetch_add(at, value, __ATOMIC_RELAXED);
}

/// The device's clock. A kernel that reads it waits for something: others may run meanwhile.
inline std::uint64_t nanoseconds() {
  std::this_thread::yield();
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

/// An argument as the kernel gets it: by value, with the device's addresses turned into those of their work
/// side.
template <class T>
std::decay_t<T> argument(void* at) {
  auto value = *static_cast<std::decay_t<T>*>(at);
  if constexpr (std::is_pointer_v<decltype(value)> || std::is_class_v<decltype(value)>)
    translate(&value, sizeof value);
  return value;
}

template <class... A, std::size_t... I>
auto arguments(void** at, std::index_sequence<I...>) {
  return std::tuple<std::decay_t<A>...>{argument<A>(at[I])...};
}

template <class... A>
Unpack unpack(void (*kernel)(A...)) {
  return [kernel](void** at, dim3 grid, dim3 block) -> std::function<void()> {
    auto values = arguments<A...>(at, std::index_sequence_for<A...>());
    return [kernel, values, grid, block] { run_grid(grid, block, [&] { std::apply(kernel, values); }); };
  };
}

}  // namespace stand_in::kernels
