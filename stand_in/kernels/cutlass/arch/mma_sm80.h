// CUTLASS's own header, with products of TF32 and of BF16 numbers as the host makes them; others stop the
// process.
#pragma once

#include <cutlass/array.h>
#include <cutlass/cutlass.h>
#include <cutlass/numeric_types.h>

#include <stdexcept>

namespace stand_in::kernels {

/// What a tensor core reads of a TF32 number: its upper 19 bits.
inline float read_by_tensor_core(cutlass::tfloat32_t number) {
  constexpr std::uint32_t read = 0xffffe000;
  return std::bit_cast<float>(number.storage & read);
}
inline float read_by_tensor_core(cutlass::bfloat16_t number) { return number; }

template <class... Fragments>
void multiply_fragments(Fragments&...) {
  throw std::logic_error("the stand-in multiplies no matrices of these numbers");
}

/// mma.m16n8k8 in TF32 and m16n8k16 in BF16. A register has a TF32 number, or two BF16 ones that follow each
/// other in the sum. Of the factor with 16 rows thread 4 r + k has register k of rows r and r + 8, then
/// register k + 4 of both; of that with 8 columns registers k and k + 4 of column r; of the sums columns 2 k
/// and 2 k + 1 of rows r and r + 8. Sums are rounded as FP32's are, once a product.
template <class Number, int of_a, int of_b>
  requires(of_a == 2 * of_b && of_b * sizeof(Number) == sizeof(std::uint64_t) &&
           (std::is_same_v<Number, cutlass::tfloat32_t> || std::is_same_v<Number, cutlass::bfloat16_t>))
void multiply_fragments(cutlass::Array<float, 4>& d, const cutlass::Array<Number, of_a>& a,
                        const cutlass::Array<Number, of_b>& b, const cutlass::Array<float, 4>& c) {
  constexpr unsigned quad = 4;
  constexpr unsigned each = of_b / 2;  // numbers of a register
  using Pair = std::array<std::array<Number, each>, 2>;  // a thread's registers of two rows or of one column
  const auto row = lane() / quad, column = 2 * (lane() % quad);
  const auto take = [&](const Number* own) {
    auto* const words = exchange();
    std::memcpy(&words[lane()], own, sizeof(Pair));
    meet_warp(~0U);
    std::array<std::array<Pair, 3>, quad> all{};
    for (unsigned k = 0; k < quad; ++k)
      for (unsigned i = 0; i < 3; ++i)
        std::memcpy(&all[k][i], &words[quad * (i == 0 ? row : column + i - 1) + k], sizeof(Pair));
    return all;
  };
  const std::array left{take(a.data()), take(a.data() + of_b)};
  const auto right = take(b.data());
  std::array<float, 4> sum{c[0], c[1], c[2], c[3]};
  for (unsigned half = 0; half < 2; ++half)
    for (unsigned k = 0; k < quad; ++k)
      for (unsigned n = 0; n < each; ++n)
        for (unsigned i = 0; i < 2; ++i)
          for (unsigned j = 0; j < 2; ++j)
            sum[2 * i + j] += read_by_tensor_core(left[half][k][0][i][n]) *
                              read_by_tensor_core(right[k][1 + j][half][n]);
  for (unsigned i = 0; i < sum.size(); ++i) d[i] = sum[i];
}

}  // namespace stand_in::kernels

#pragma push_macro("CUTLASS_NOT_IMPLEMENTED")
#undef CUTLASS_NOT_IMPLEMENTED
#define CUTLASS_NOT_IMPLEMENTED() stand_in::kernels::multiply_fragments(d, a, b, c)
#include_next <cutlass/arch/mma_sm80.h>
#pragma pop_macro("CUTLASS_NOT_IMPLEMENTED")
