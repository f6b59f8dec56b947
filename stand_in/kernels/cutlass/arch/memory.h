// CUTLASS's own header, with what it writes in PTX as the host does it. Found in front of CUTLASS's folder.
#pragma once

#include "stand_in/kernels/device_functions.hpp"

#define global_load global_load_of_a_device
#define global_store global_store_of_a_device
#include_next <cutlass/arch/memory.h>
#undef global_load
#undef global_store

inline void __syncthreads() { stand_in::kernels::syncthreads(); }

namespace cutlass::arch {

template <class Access, int bytes, CacheOperation::Kind = CacheOperation::Always>
struct global_load {
  global_load(Access& out, const void* from, bool there) {
    if (there) std::memcpy(&out, from, bytes);
  }
};

template <class Access, int bytes>
struct global_store {
  global_store(const Access& value, void* to, bool there) {
    if (there) std::memcpy(to, &value, bytes);
  }
};

}  // namespace cutlass::arch
