// LibTorch's products: dense by dense, and sparse by dense (SpMM), as in a graph network.
#include "harness/libtorch/answer.hpp"

#include "microbench/selftest/pairs.hpp"

#include <ATen/ATen.h>

namespace microbench::selftest_products {

using namespace harness;

constexpr Axis axes[] = {
    {.name = "op",
     .about = "gemm: 256 x 256 by 256 x 256; spmm: 4,096 x 4,096 with 8 entries a row, by 32 columns",
     .labels = {"gemm", "spmm"}}};

struct State {
  at::Tensor a, b, out;
};

/// Eight entries in each row, at places that look random and are the same each time.
at::Tensor sparse(std::int64_t n) {
  constexpr std::int64_t per_row = 8;
  const auto entries = at::arange(n * per_row, at::kLong);
  const auto places = at::stack({entries.floor_divide(per_row), (entries * 2654435761) % n});
  return at::sparse_coo_tensor(places, at::ones({n * per_row}), {n, n}).coalesce();
}

Trial prepare(Setup&, const Point& point) {
  const auto s = std::make_shared<State>();
  const bool dense = point["op"] == 0;
  s->a = dense ? at::full({256, 256}, 0.5F) : sparse(4096);
  s->b = dense ? at::full({256, 256}, 0.25F) : at::full({4096, 32}, 0.25F);
  s->out = at::zeros({s->a.size(0), s->b.size(1)});
  return equal_forms(
      [s, dense] {
        if (dense)
          at::mm_out(s->out, s->a, s->b);
        else
          s->out = at::_sparse_mm(s->a, s->b);
      },
      [s] { s->out.fill_(-1); }, [s] { return numbers_of(s->out); });
}

extern constexpr EqualPair pair{.id = "selftest/products", .axes = axes, .prepare = prepare};

}  // namespace microbench::selftest_products
