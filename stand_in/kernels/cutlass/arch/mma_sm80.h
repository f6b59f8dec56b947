// CUTLASS's own header, with the product of TF32 numbers as the host makes it; others stop the process.
#pragma once

#include "stand_in/kernels/device_functions.hpp"

#include <cutlass/array.h>
#include <cutlass/numeric_types.h>

#include <stdexcept>

namespace stand_in::kernels {

/// What a tensor core reads of a TF32 number: its upper 19 bits.
inline float read_by_tensor_core(cutlass::tfloat32_t number) {
  constexpr std::uint32_t read = 0xffffe000;
  return std::bit_cast<float>(number.storage & read);
}

template <class... Fragments>
void multiply_fragments(Fragments&...) {
  throw std::logic_error("the stand-in multiplies no matrices of these numbers");
}

/// mma.m16n8k8 in TF32. Of the factor of 16 x 8, thread 4 r + k has columns k and k + 4 of rows r and r + 8; of
/// that of 8 x 8 rows k and k + 4 of column r; of the sums columns 2 k and 2 k + 1 of rows r and r + 8. Sums are
/// rounded as FP32's are, once a product.
inline void multiply_fragments(cutlass::Array<float, 4>& d, const cutlass::Array<cutlass::tfloat32_t, 4>& a,
                               const cutlass::Array<cutlass::tfloat32_t, 2>& b,
                               const cutlass::Array<float, 4>& c) {
  using Pair = std::array<float, 2>;
  constexpr unsigned quad = 4;
  const auto row = lane() / quad, column = 2 * (lane() % quad);
  const auto shared = [](Pair own) {
    auto* const words = exchange();
    std::memcpy(&words[lane()], &own, sizeof own);
    meet_warp(~0U);
    return [words](unsigned from) {
      Pair pair;
      std::memcpy(&pair, &words[from], sizeof pair);
      return pair;
    };
  };
  const auto take = [&](const auto& of, unsigned k, std::array<Pair, 3>& out) {
    out = {of(quad * row + k), of(quad * column + k), of(quad * (column + 1) + k)};
  };
  const auto read = read_by_tensor_core;
  std::array<std::array<Pair, 3>, 4> low{}, high{}, right{};
  {
    const auto all = shared({read(a[0]), read(a[1])});
    for (unsigned k = 0; k < quad; ++k) take(all, k, low[k]);
  }
  {
    const auto all = shared({read(a[2]), read(a[3])});
    for (unsigned k = 0; k < quad; ++k) take(all, k, high[k]);
  }
  {
    const auto all = shared({read(b[0]), read(b[1])});
    for (unsigned k = 0; k < quad; ++k) take(all, k, right[k]);
  }
  std::array<float, 4> sum{c[0], c[1], c[2], c[3]};
  for (unsigned k = 0; k < 2 * quad; ++k)
    for (unsigned i = 0; i < 2; ++i)
      for (unsigned j = 0; j < 2; ++j)
        sum[2 * i + j] += (k < quad ? low : high)[k % quad][0][i] * right[k % quad][1 + j][k / quad];
  for (unsigned i = 0; i < sum.size(); ++i) d[i] = sum[i];
}

}  // namespace stand_in::kernels

#pragma push_macro("CUTLASS_NOT_IMPLEMENTED")
#undef CUTLASS_NOT_IMPLEMENTED
#define CUTLASS_NOT_IMPLEMENTED() stand_in::kernels::multiply_fragments(d, a, b, c)
#include_next <cutlass/arch/mma_sm80.h>
#pragma pop_macro("CUTLASS_NOT_IMPLEMENTED")
