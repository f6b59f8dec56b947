// Write the pieces of a result straight into their places instead of joining them afterward with cat.
//
// Question: Four pieces are joined by cat, or written straight to their places. What share of the time is
// cat, for small pieces and for large?
//
// A model that computes its result piece by piece often ends with `cat`: one more operator, which reads all
// that was just written and writes it once more somewhere else. Where the whole is allocated first, each
// piece is a slice of it, a view that costs no memory and no kernel, and the operators that make the pieces
// can write there directly. One launch and a pass over the data are saved.
//
// When it does not matter: where making the pieces takes far longer than joining them. A host that is ahead
// of its device hides the launch, never the pass. Taking a view (`slice`, `permute`, `view`) launches
// nothing; in a hot loop it does cost the host its time, so that views that stay the same are best taken
// once, as in this step. In autograd the form with cat has its use: writing into slices of a tensor that is
// needed for the backward pass is refused.
//
// A row measures making `pieces` products and joining them, against making the same products in place. Both
// sides write into memory that was allocated before.
//
// Answer: For small pieces a call or a launch: one of five operators. For large pieces a pass over the data,
// reading and writing all of it once more. Where making the pieces takes long, as large products do, either
// is a small share.

#include "microbench/tip.hpp"
#include "microbench/values.hpp"

namespace microbench::launch_fuse_tiny_ops {

constexpr std::int64_t pieces[] = {4, 16, 64};
constexpr Axis axes[] = {
    {.name = "pieces", .about = "tensors that make up the result", .values = pieces, .quick = {4}},
    {.name = "values", .about = "floats in each piece", .values = {1 << 10, 1 << 18}, .quick = {1 << 10}}};

struct State {
  std::vector<at::Tensor> in;
  std::vector<at::Tensor> alone;   // the products, each in memory of its own
  at::Tensor whole;                // of cat, or
  std::vector<at::Tensor> slices;  // of the products themselves
  at::Tensor factor = at::scalar_tensor(1.5, at::kFloat);
};

bool takes(const Point& point, const Device& device) {
  return device.is_cuda() || point["pieces"] == pieces[0];
}

Trial prepare(Setup& setup, const Point& point) {
  const auto n = point["values"];
  const auto count = point["pieces"];
  if (setup.device.is_cuda()) require_device_memory(3 * sizeof(float) * static_cast<std::size_t>(n * count));
  const auto s = std::make_shared<State>();
  s->in = normal_values(setup, {count, n}).unbind();
  for (const auto& x : s->in) s->alone.push_back(at::empty_like(x));
  s->whole = at::empty({count * n}, floats_on(setup.device));
  s->slices = s->whole.split(n);

  const auto multiply_into = [s](std::vector<at::Tensor>& out) {
    for (std::size_t i = 0; i < out.size(); ++i) at::mul_out(out[i], s->in[i], s->factor);
  };
  return {
      .naive =
          [s, multiply_into] {
            multiply_into(s->alone);
            at::cat_out(s->whole, s->alone);
          },
      .optimized = [s, multiply_into] { multiply_into(s->slices); },
      .clear =
          [s] {
            for (const auto& y : s->alone) y.fill_(-100);
            s->whole.fill_(-100);
          },
      .answer = [s](Form) { return numbers_of(s->whole); },
  };
}

extern constexpr Step step = checked({
    .id = "launch/fuse_tiny_ops",
    .claim = "Writing pieces straight into slices of the result is faster than joining them with cat.",
    .claim_ids = "fuse-tiny-ops",
    .sides = {"cat", "in place"},
    .source = go_brrrr("Bandwidth"),
    .axes = axes,
    .takes = takes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .on_cpu = Outcome::helps},
});

}  // namespace microbench::launch_fuse_tiny_ops
