// CUTLASS's own header, with loads of shared memory as the host does them. For ldmatrix each thread names a
// row of 16 bytes, eight rows are a matrix, and a thread gets the same word of every matrix; turned, two numbers
// of 16 bits of a column.
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
  constexpr bool turned = std::is_same_v<Layout, layout::ColumnMajor>;
  constexpr unsigned rows = 8, words = 4;
  auto* const named = stand_in::kernels::exchange();
  const auto lane = stand_in::kernels::lane();
  named[lane] = reinterpret_cast<std::uintptr_t>(row);
  stand_in::kernels::meet_warp(~0U);
  for (unsigned i = 0; i < matrices; ++i) {
    const auto word_of = [&](unsigned which, unsigned word) {
      return reinterpret_cast<const unsigned*>(named[i * rows + which])[word];
    };
    const auto half_of = [&](unsigned which, unsigned column) {
      return word_of(which, column / 2) >> 16 * (column % 2) & 0xffff;
    };
    const auto row = lane / words, pair = 2 * (lane % words);
    out[i] = turned ? half_of(pair, row) | half_of(pair + 1, row) << 16 : word_of(row, lane % words);
  }
}

}  // namespace cutlass::arch
