// CUTLASS's own header, with the predicated loads and stores that it writes in PTX.
#pragma once

#include <cutlass/cutlass.h>

#define global_load global_load_of_a_device
#define global_store global_store_of_a_device
#include_next <cutlass/arch/memory.h>
#undef global_load
#undef global_store

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
