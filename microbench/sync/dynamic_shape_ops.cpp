// Prefer operations whose result has a known shape; others make the host ask the device for it.
//
// Question: A mask selects one percent of the values. Is `where` on all of them still faster than selecting
// the few?
//
// `nonzero`, a selection by a mask and `repeat_interleave` give as many values as the data say. The host must
// know the number to make room for the result, so it waits for all that was queued, reads it back, and only
// then goes on. If the shape is known beforehand, the wait disappears: `where` with a neutral value instead
// of a selection, `nonzero_static` with a size (on a GPU since PyTorch 2.7), `repeat_interleave` with the
// size that the result will have.
//
// What it costs: the operation with a fixed shape works on all values, whatever the mask says. When few are
// selected and what follows is expensive, the selection does less work, and the sign may turn (`percent`).
// When it does not matter: where the host waits right afterward anyway.
//
// On the CPU nothing is queued, and only the amount of work is compared. A row measures twenty of the
// operations, each with a kernel before it, so that there is a queue to run dry. The values are small whole
// numbers and their sums exact in any order.
//
// Answer: Mostly: `where` works on a hundred times as many values, but the selection must find them, which is
// a pass over all values too, and on a device it waits each time. `where` took 59 % less on an H200 (commit
// c3d44b4) and, where nothing waits, 48 % less on two cores of an EPYC (commit 03cee4c). If what follows is
// expensive, the selection wins.

#include "microbench/tip.hpp"

namespace microbench::sync_dynamic_shape_ops {

enum Op : std::int64_t { select, repeat, nonzero };
constexpr Axis axes[] = {{.name = "op",
                          .about = "the selected values summed; repeat_interleave; nonzero",
                          .quick = {select},
                          .labels = {"select", "repeat", "nonzero"}},
                         {.name = "percent",
                          .about = "of the values that the mask selects, or that are repeated",
                          .values = {1, 50}}};
constexpr std::int64_t n = 1 << 18;
constexpr int loop = 20;

struct State {
  /// One value in every `period` is selected; it is repeated twice, the others once.
  State(std::int64_t period, const at::TensorOptions& options) {
    const auto places = at::arange(n, options.dtype(at::kLong));
    mask = places.remainder(period).eq(0);
    count = (n + period - 1) / period;
    repeats = mask.to(at::kLong).add_(1);
    values = places.remainder(13).to(at::kFloat);
    scaled = at::empty_like(values);
    zero = at::zeros({}, options);
    one = at::ones({}, options);
  }
  void dynamic(Op op) {
    at::mul_out(scaled, values, one);
    if (op == select) result = scaled.masked_select(mask).sum();
    if (op == repeat) result = at::repeat_interleave(scaled, repeats, 0);
    if (op == nonzero) result = at::nonzero(mask);
  }
  void fixed(Op op) {
    at::mul_out(scaled, values, one);
    if (op == select) result = at::where(mask, scaled, zero).sum();
    if (op == repeat) result = at::repeat_interleave(scaled, repeats, 0, n + count);
    if (op == nonzero) result = at::nonzero_static(mask, count);
  }
  at::Tensor mask, repeats, values, scaled, zero, one, result;
  std::int64_t count = 0;
};

bool takes(const Point& point, const Device& device) { return device.is_cuda() || point["op"] == select; }

Trial prepare(Setup& setup, const Point& point) {
  const auto op = static_cast<Op>(point["op"]);
  const auto options = at::TensorOptions().device(torch_device(setup.device)).dtype(at::kFloat);
  const auto s = std::make_shared<State>(100 / point["percent"], options);

  return {
      .naive =
          [s, op] {
            for (int i = 0; i < loop; ++i) s->dynamic(op);
          },
      .optimized =
          [s, op] {
            for (int i = 0; i < loop; ++i) s->fixed(op);
          },
      .clear = [s] { s->result = at::full({1}, -1.0); },
      .answer = [s](Form) { return numbers_of(s->result); },
  };
}

extern constexpr Step step = checked({
    .id = "sync/dynamic_shape_ops",
    .claim = "Where a result's shape depends on data, the host waits; with a fixed shape it runs ahead.",
    .claim_ids = "sync-dynamic-shape-ops",
    .sides = {"dynamic shape", "fixed shape"},
    .source = tuning_guide("Avoid unnecessary CPU-GPU synchronization"),
    .axes = axes,
    .takes = takes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .about = "percent:50"},
});

}  // namespace microbench::sync_dynamic_shape_ops
