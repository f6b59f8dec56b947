// LibTorch's operators that training loops are made of besides products.
#include "harness/libtorch/answer.hpp"

#include "microbench/selftest/pairs.hpp"

#include <ATen/ATen.h>

namespace microbench::selftest_tensors {

using namespace harness;

enum Operation : std::int64_t { add, exponential, softmax, sum, index_select, index_add };
constexpr Axis axes[] = {{.name = "op",
                          .about = "over 4,096 rows of 64 values",
                          .labels = {"add", "exp", "softmax", "sum", "index_select", "index_add"}}};

constexpr int repeats = 5;  // a run takes long enough for the planted slowdown to be exact

struct State {
  at::Tensor x = at::linspace(-1, 1, std::int64_t{4096} * 64).view({4096, 64});
  at::Tensor rows = (at::arange(4096, at::kLong) * 2654435761) % 4096;
  at::Tensor out = at::zeros_like(x);
  at::Tensor total = at::zeros({64});
};

void run(State& s, std::int64_t operation) {
  switch (operation) {
    case add:
      at::add_out(s.out, s.x, s.x);
      break;
    case exponential:
      at::exp_out(s.out, s.x);
      break;
    case softmax:
      at::softmax_out(s.out, s.x, 1);
      break;
    case sum:
      at::sum_out(s.total, s.x, 0);
      break;
    case index_select:
      at::index_select_out(s.out, s.x, 0, s.rows);
      break;
    default:
      s.out.zero_();
      s.out.index_add_(0, s.rows, s.x);
  }
}

Trial prepare(Setup&, const Point& point) {
  const auto s = std::make_shared<State>();
  const auto operation = point["op"];
  const auto out = operation == sum ? s->total : s->out;
  return equal_forms(
      [s, operation] {
        for (int i = 0; i < repeats; ++i) run(*s, operation);
      },
      [out] { out.fill_(-7); }, [out] { return numbers_of(out); });
}

extern constexpr EqualPair pair{.id = "selftest/tensors", .axes = axes, .prepare = prepare};

}  // namespace microbench::selftest_tensors
