// Take the optimizer's whole step in one kernel (fused) instead of one kernel for each operation.
//
// Question: Adam over 100 tensors of 1024 values: rank loop, foreach and fused. Is the order the same for 4
// of 65536?
//
// A foreach optimizer has few launches, but each of its operators reads and writes every value: Adam's step
// goes through memory about twenty times where seven would do (read value, gradient and two moments; write
// value and moments). The fused operator keeps a value in registers from the first line of the formula to
// the last. So for long lists of large parameters it is bandwidth that is saved, and for many small ones it
// is launches, compared with the loop.
//
// When it does not matter: where other parts of a training step hide the optimizer. Reports differ: one
// measured its fused SGD far ahead with small tensors and behind the plain loop with tensors of 65,536
// values, hence the sweep. On the CPU, too, there is a fused Adam, since PyTorch 2.4, which passes over
// memory once. It is no default in any version: in Python say `fused=True`.
//
// `against` says what the first side is: one tensor after the other, or the foreach operators. A run is one
// step of Adam without weight decay; the gradients stay as they are; three steps from the same start are
// compared.
//
// Answer: Not necessarily. With 100 small tensors the fused kernel is first, foreach second, the loop last:
// it is about calls and launches. With 4 of 65,536 values there are few launches to save; one source has its
// fused SGD behind the loop at that size (100 tensors: 1,440 against 870 us, RTX 3070).

#include "microbench/optimizer/parameters.hpp"
#include "microbench/tip.hpp"

namespace microbench::optimizer_fused {

constexpr std::int64_t counts[] = {100, 4};
constexpr Axis axes[] = {{.name = "tensors", .about = "parameters in the list", .values = counts},
                         {.name = "numel", .about = "values of each of them", .values = {1 << 10, 1 << 16}},
                         {.name = "against",
                          .about = "the naive form: one tensor after the other, or lists of tensors",
                          .labels = {"loop", "foreach"}}};

bool takes(const Point& point, const Device& device) {
  return list_fits(point, device) && (device.is_cuda() || point["tensors"] >= counts[0]);
}

Trial prepare(Setup& setup, const Point& point) {
  const auto tensors = point["tensors"];
  require_room(setup, tensors, point["numel"]);
  const auto s = std::make_shared<Parameters>(setup, tensors, point["numel"]);
  const std::function<void()> loop = [s] { s->step_by_tensor(); };
  const std::function<void()> foreach = [s] { s->step_foreach(); };
  return {
      .naive = point["against"] == 0 ? loop : foreach,
      .optimized = [s] { s->step_fused(); },
      .clear = [s] { s->reset(); },
      .answer = [s](Form) { return s->values(); },
      .answer_runs = 3,
  };
}

extern constexpr Step step = checked({
    .id = "optimizer/fused",
    .claim = "A fused Adam beats the foreach operators, and these the loop over tensors.",
    .claim_ids = "opt-fused",
    .sides = {"unfused", "fused"},
    .source = {.title = "PyTorch, torch.optim",
               .url = "https://docs.pytorch.org/docs/stable/optim.html",
               .where = "Algorithms, on the foreach and fused implementations"},
    .axes = axes,
    .takes = takes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends,
                    .published =
                        "optimizer 22 -> 8 ms (deepmd-kit 4463); fused SGD against the loop, 100 tensors: "
                        "850 -> 58 us of 1,024, 870 -> 1,440 us of 65,536 values (RTX 3070)"},
    .tolerance = {.relative = 1e-5,
                  .why = "the fused kernel rounds only once where the operators round often"},
});

}  // namespace microbench::optimizer_fused
