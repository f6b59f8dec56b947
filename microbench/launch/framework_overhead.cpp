// What the framework's operator costs beside the addition that it does.
//
// Question: How many single numbers does a loop add in the time of one `add` of two tensors?
//
// Before LibTorch adds two tensors it looks up which code is meant for this device, type and mode, checks the
// shapes, works out how to walk through the memory and, unless it is given a place, allocates the result. But
// for the allocation, this takes the same for one value as for a million.
//
// When it does not matter: on tensors whose values alone take longer than the call (`values`), and on a
// device as long as the host is ahead of it. Elsewhere gather tiny tensors into one, or leave small
// arithmetic to plain code.
//
// A row measures a hundred additions: by the operator, and by a function that holds a loop (host) or launches
// a kernel (device). `add_out` writes into memory that was allocated before, `add` allocates, `add_grad` also
// records. The source's figures include Python's share, so only their order of magnitude can be checked.
//
// Answer: Hundreds to some thousand: an operator's call takes about a microsecond, a loop adds a number in a
// nanosecond or less. The published figures, with Python, are 32 million additions against 280 thousand
// calls in a second: about a hundred.

#include "harness/cuda/stream.hpp"

#include "microbench/launch/plain_add.hpp"
#include "microbench/short_kernels.hpp"
#include "microbench/tip.hpp"
#include "microbench/values.hpp"

#include <utility>

namespace microbench::launch_framework_overhead {

constexpr Axis axes[] = {
    {.name = "values", .about = "floats in each tensor", .values = {1, 65536}, .quick = {1}},
    {.name = "call",
     .about = "add_out: into memory that is there; add: allocates the result; add_grad: records it as well",
     .quick = {0},
     .labels = {"add_out", "add", "add_grad"}}};
constexpr int additions = 100;

struct State {
  at::Tensor a, b;
  at::Tensor out;    // of the operator
  at::Tensor plain;  // of the loop or the kernel
};

/// The addition without the framework.
std::function<void()> plain_call(const Setup& setup, const std::shared_ptr<State>& s) {
  auto* out = s->plain.data_ptr<float>();
  const auto* a = s->a.const_data_ptr<float>();
  const auto* b = s->b.const_data_ptr<float>();
  const auto n = static_cast<std::size_t>(s->a.numel());
  if (!setup.device.is_cuda())
    return [s, out, a, b, n] {
      for (int i = 0; i < additions; ++i) plain_add(out, a, b, n);
    };
  return [s, out, a, b, n, &stream = *setup.stream] {
    for (int i = 0; i < additions; ++i) check(queue_add(out, a, b, n, stream.get()));
  };
}

Trial prepare(Setup& setup, const Point& point) {
  const auto [n, call] = std::pair(point["values"], point["call"]);
  const auto s = std::make_shared<State>();
  const auto both = normal_values(setup, {2, n});
  s->a = both[0];
  s->b = both[1];
  s->out = at::zeros({n}, floats_on(setup.device));
  s->plain = at::zeros({n}, floats_on(setup.device));
  s->a.set_requires_grad(call == 2);

  return {
      .naive =
          [s, call] {
            for (int i = 0; i < additions; ++i) {
              if (call == 0)
                at::add_out(s->out, s->a, s->b);
              else
                s->out = at::add(s->a, s->b);
            }
          },
      .optimized = plain_call(setup, s),
      .clear =
          [s] {
            s->out = at::zeros_like(s->plain);
            s->plain.zero_();
          },
      .answer = [s](Form form) { return numbers_of(form == Form::naive ? s->out.detach() : s->plain); },
  };
}

extern constexpr Step step = checked({
    .id = "launch/framework_overhead",
    .claim = "A plain loop or kernel adds tiny tensors many times faster than the framework's operator.",
    .claim_ids = "launch-framework-overhead",
    .sides = {"operator", "plain loop or kernel"},
    .source = go_brrrr("Overhead"),
    .axes = axes,
    .takes = [](const Point& p,
                const Device& on) { return on.is_cuda() || (p["values"] == 1 && p["call"] != 1); },
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "32 million additions in 1 s of Python, 280 thousand of PyTorch's",
                    .on_cpu = Outcome::helps,
                    .about = "values:1"},
});

}  // namespace microbench::launch_framework_overhead
