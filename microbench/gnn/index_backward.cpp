// Gather rows with index_select, not with x[index], where a gradient flows back.
//
// Question: `x[index]` and `x.index_select(0, index)` give the same rows. On which device do their backward
// passes differ, and does it matter how often a row is read?
//
// Going back, the gradients of all rows that were read from one place are added up there. `x[index]` goes
// back through index_put with `accumulate`, made for any shape of indices and for the same sums in each run:
// on a GPU it sorts the index, then adds equal ones one after another, the slower the more often a row was
// read. `index_select` goes back through index_add, which adds whole rows, on a GPU by atomics: in no fixed
// order, so the last bits may differ from run to run.
//
// When it does not matter: for rows that need no gradient (features that are given). When it hurts: where a
// run must give the same bits as the one before.
//
// A row measures 24,000 rows of 64 numbers gathered and their gradients brought back, `reads:few` from 4,000
// rows and `reads:many` from 40.
//
// Answer: On a GPU most where few rows are read often; the source's training run took twice as long. On a
// CPU, where both add rows one after another, it does not matter how often: on two cores of an EPYC
// index_select took 40 and 36 % less (commit 3623156).

#include "microbench/tip.hpp"
#include "microbench/values.hpp"

namespace microbench::gnn_index_backward {

constexpr std::int64_t places[] = {4000, 40};
constexpr Axis axes[] = {{.name = "reads",
                          .about = "how often a row is read: few, 6 times; many, 600 times",
                          .labels = {"few", "many"}}};
constexpr std::int64_t gathered = 24000;
constexpr std::int64_t width = 64;

struct State {
  at::Tensor x, index, gradient, seen;

  void step(const at::Tensor& rows) {
    x.mutable_grad().reset();
    rows.backward(gradient);
    seen = rows.detach();
  }
};

Trial prepare(Setup& setup, const Point& point) {
  const auto rows = places[point["reads"]];
  const auto s = std::make_shared<State>();
  s->x = normal_values(setup, {rows, width}).requires_grad_();
  s->index = normal_values(setup, {gathered}, 1).mul(1e6).to(at::kLong).remainder(rows);
  s->gradient = normal_values(setup, {gathered, width}, 2);
  return {
      .naive = [s] { s->step(s->x.index({s->index})); },
      .optimized = [s] { s->step(s->x.index_select(0, s->index)); },
      .clear =
          [s] {
            s->seen = at::full_like(s->gradient, -1);
            s->x.mutable_grad() = at::full_like(s->x, -1);
          },
      .answer = [s](Form) -> Answer { return numbers_of(at::cat({s->seen, s->x.grad()})); },
  };
}

extern constexpr Step step = checked({
    .id = "gnn/index_backward",
    .claim = "Rows that index_select gathers bring their gradients back faster than those of x[index].",
    .sides = {"x[index]", "index_select"},
    .source = {"PyTorch", "https://github.com/pytorch/pytorch/issues/41162", "issue 41162"},
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "a detection network trained about half as fast",
                    .about = "reads:many"},
    .tolerance = {.relative = 1e-4, .why = "gradients are added in another order"},
});

}  // namespace microbench::gnn_index_backward
