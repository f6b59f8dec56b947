// Make the dimensions of matrix products multiples of 8.
//
// Question: One column more, 4097 instead of 4096: what does it cost in FP16, and is 4095 better or worse?
//
// Tensor cores work on small tiles, and they are fed by loads of 16 bytes: 8 values of FP16, 4 of TF32. If a
// row of the matrix is not a multiple of that, most rows begin in the middle of such a load, the fastest
// kernels cannot be used, and the library falls back to narrower loads; before cuBLAS 11 it fell back to the
// ordinary units. So one column too few can cost more than one too many: padding with zeros gives the same
// product in its first rows and columns. What can be chosen (widths, batch sizes) is best chosen as a
// multiple of 8, and what is given (classes, nodes) padded to one.
//
// When it does not matter: for small matrices, where starting the kernel is the price, and less than it did:
// since cuBLAS 11 tensor cores work with any size, only more slowly (NVIDIA, Matrix Multiplication
// Background). Sizes for which tiles fill the device badly cost far more than an odd dimension.
//
// A row times one product. Padding was done beforehand, as it would be by a layer that is declared wider: a
// copy into a wider matrix in every step is not part of the claim.
//
// Answer: Rows of 4,097 numbers do not begin at multiples of 16 bytes, so the fast loads cannot be used.
// Since cuBLAS 11 tensor cores still take any size, only more slowly. 4,095 is no better, and may be worse.
// Pad it with one column of zeros to 4,096.

#include "microbench/precision/judged_product.hpp"
#include "microbench/tip.hpp"
#include "microbench/values.hpp"

namespace microbench::precision_mult_of_8 {

struct Shape {
  std::int64_t rows, inner, columns;
};
constexpr Shape shapes[] = {{1023, 1023, 1023}, {4095, 4095, 4095}, {4097, 4097, 4097}, {65536, 128, 39}};
constexpr Axis axes[] = {{.name = "size",
                          .about = "a number: of rows and columns; 39classes: 65536 x 128 times 128 x 39",
                          .quick = {1},
                          .labels = {"1023", "4095", "4097", "39classes"}},
                         {.name = "type",
                          .about = "fp16: FP16 matrices; tf32: FP32 matrices, multiplied in TF32",
                          .quick = {0},
                          .labels = {"fp16", "tf32"}}};

struct State {
  State(const at::Tensor& a, const at::Tensor& b) : odd(a, b), eight(padded(a), padded(b)) {}
  Product odd, eight;
};

Trial prepare(Setup& setup, const Point& point) {
  const auto [rows, inner, columns] = shapes[point["size"]];
  const bool tf32 = point["type"] == 1;
  require_capability(setup.device, tf32 ? 8 : 7, tf32 ? "TF32" : "FP16 on tensor cores");
  const auto values = 4 * (rows * inner + inner * columns) + 2 * rows * columns;  // random, typed, padded
  require_device_memory(static_cast<std::size_t>(values) * sizeof(float));
  const auto generator = generator_of(setup);
  const auto options = at::TensorOptions().device(torch_device(setup.device)).dtype(at::kFloat);
  const auto type = tf32 ? at::kFloat : at::kHalf;
  const auto a = at::randn({rows, inner}, generator, options).to(type);
  const auto b = at::randn({inner, columns}, generator, options).to(type);
  const auto s = std::make_shared<State>(a, b);

  return {
      .naive = [s] { s->odd.multiply(); },
      .optimized = [s] { s->eight.multiply(); },
      .clear =
          [s] {
            s->odd.out.fill_(-1);
            s->eight.out.fill_(-1);
          },
      .answer =
          [s, rows = rows, columns = columns](Form form) {
            const auto& out = (form == Form::naive ? s->odd : s->eight).out;
            return numbers_of(out.narrow(0, 0, rows).narrow(1, 0, columns));
          },
      .timer = Timer::event,
  };
}

extern constexpr Step step = checked({
    .id = "precision/mult_of_8",
    .claim = "Matrix products whose dimensions are padded to multiples of 8 are faster on tensor cores.",
    .claim_ids = "prec-mult-of-8",
    .sides = {"odd sizes", "multiples of 8"},
    .source = tuning_guide("Use mixed precision and AMP"),
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure"},
    .tolerance = {.relative = 4e-3,
                  .why = "FP16 rounds to 11 bits; without tensor cores no bits of TF32 factors are dropped"},
    .delta = 0.02,
});

}  // namespace microbench::precision_mult_of_8
