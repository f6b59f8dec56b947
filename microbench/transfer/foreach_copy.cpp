// Copy many tensors by one _foreach_copy_ on one device; between host and device it saves nothing.
//
// Question: 256 tensors of 4 KiB are copied by one `_foreach_copy_` instead of 256 calls of copy_. Is it one
// copy, and does that depend on where they come from?
//
// An operator on lists takes all tensors in one call. Where they lie on one device and are of one type, it
// packs their addresses into the arguments of few kernels, each of which works on many tensors: 256 launches
// become a few. Between host and device there is no such kernel. There `_foreach_copy_` is a loop over copy_,
// written in C++ instead of in your program: as many commands to the copy engine as before.
//
// When it does not matter: `from:host`, where only one packed block or one batched call of CUDA saves the
// calls (transfer/batch_small); tensors so large that a launch is nothing beside them; the CPU, where both
// sides are a loop.
//
// A row measures 256 copies, `from:same` on one device and `from:host` out of pinned memory with
// non_blocking.
//
// Answer: `from:same`, yes: a few launches instead of 256. `from:host`, no: 256 copies both ways, and what is
// left of the difference are the calls.

#include "microbench/tip.hpp"
#include "microbench/values.hpp"

namespace microbench::transfer_foreach_copy {

enum From : std::int64_t { same, host };
constexpr Axis axes[] = {
    {.name = "from",
     .about = "where the tensors lie. same: on the device itself; host: in pinned memory",
     .labels = {"same", "host"}}};
constexpr std::uint64_t tensors = 256;

bool takes(const Point& point, const Device& device) { return device.is_cuda() || point["from"] == same; }

struct State {
  std::vector<at::Tensor> sources, targets;
};

Trial prepare(Setup& setup, const Point& point) {
  const auto s = std::make_shared<State>();
  for (std::uint64_t i = 0; i < tensors; ++i) {
    const auto values = normal_values(setup, {1024}, i);
    s->sources.push_back(point["from"] == host ? values.cpu().pin_memory() : values);
    s->targets.push_back(at::empty_like(values));
  }
  return {
      .naive =
          [s] {
            for (std::size_t i = 0; i < tensors; ++i)
              s->targets[i].copy_(s->sources[i], /*non_blocking=*/true);
          },
      .optimized = [s] { at::_foreach_copy_(s->targets, s->sources, /*non_blocking=*/true); },
      .clear = [s] { at::_foreach_zero_(s->targets); },
      .answer = [s](Form) { return numbers_of(at::stack(s->targets)); },
  };
}

extern constexpr Step step = checked({
    .id = "transfer/foreach_copy",
    .claim = "Many tensors on one device are copied sooner by one _foreach_copy_ than by a copy each.",
    .sides = {"a copy each", "_foreach_copy_"},
    .source = {"PyTorch", "https://github.com/pytorch/pytorch/issues/111351", "issue 111351"},
    .axes = axes,
    .takes = takes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .about = "from:same"},
});

}  // namespace microbench::transfer_foreach_copy
