// CUTLASS's own header, with loads of shared memory as the host does them. For ldmatrix each thread names a
// row of 16 bytes, eight rows are a matrix, and a thread gets the same word of every matrix.
#pragma once

#include <cutlass/cutlass.h>

#define ldsm ldsm_of_a_device
#define shared_load shared_load_of_a_device
#include_next <cutlass/arch/memory_sm75.h>
#undef ldsm
#undef shared_load

namespace cutlass::arch {

template <class Access>
void shared_load(Access& out, const void* from) {
  out = *static_cast<const Access*>(from);
}

template <class Layout, int matrices>
void ldsm(Array<unsigned, matrices>& out, const void* row) {
  static_assert(std::is_same_v<Layout, layout::RowMajor>, "the stand-in turns no matrix of 16-bit numbers");
  constexpr unsigned rows = 8, words = 4;
  auto* const named = stand_in::kernels::exchange();
  const auto lane = stand_in::kernels::lane();
  named[lane] = reinterpret_cast<std::uintptr_t>(row);
  stand_in::kernels::meet_warp(~0U);
  for (unsigned i = 0; i < matrices; ++i) {
    const auto* const from = reinterpret_cast<const unsigned*>(named[i * rows + lane / words]);
    out[i] = from[lane % words];
  }
}

}  // namespace cutlass::arch
