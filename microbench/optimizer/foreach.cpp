// Let the optimizer work on lists of tensors (foreach) instead of on one tensor after the other.
//
// Question: The source reports 233 -> 46.9 ms for Adam. Does a CPU, where nothing is launched, gain from the
// list as well?
//
// Adam's step is a handful of small operators, and a model has hundreds of parameters, most of them small:
// thousands of kernels of a few microseconds, which the host cannot queue as fast as the device finishes
// them. A foreach operator takes the whole list: it packs the addresses of many tensors into the arguments
// of one kernel, which then works on all of them. The arithmetic is the same, the launches are few. In
// Python it has been the default on a GPU since PyTorch 2.0, unless `foreach=False` or `fused=True` is
// passed; C++'s torch::optim has the loop only.
//
// When it does not matter: for a few large tensors (`tensors:4`), where each kernel is long anyway. What it
// costs is memory: the square roots exist for all parameters at once and not for one after the other, which
// the peaks beside the times show. On the CPU there are no launches to save.
//
// On both sides a run is one step of Adam without weight decay, the operators those of PyTorch's own
// implementations. The gradients stay as they are; three steps from the same start are compared.
//
// Answer: A little at most: on a CPU the foreach operator is a loop over the list, so only a little dispatch
// time is saved. On a GPU the gain is launches; the source reports 233 -> 46.9 ms for Adam.

#include "harness/libtorch/work_counts.hpp"

#include "microbench/optimizer/parameters.hpp"
#include "microbench/tip.hpp"

namespace microbench::optimizer_foreach {

Trial prepare(Setup& setup, const Point& point) {
  require_room(setup, point["tensors"], point["numel"]);
  const auto s = std::make_shared<Parameters>(setup, point["tensors"], point["numel"]);
  const auto naive = [s] { s->step_by_tensor(); };
  const auto optimized = [s] { s->step_foreach(); };
  return {
      .naive = naive,
      .optimized = optimized,
      .clear = [s] { s->reset(); },
      .answer = [s](Form) { return s->values(); },
      .answer_runs = 3,
      .figures = [naive, optimized]() -> std::vector<Figure> {
        constexpr double mib = 1 << 20;
        return {{"peak memory of a step", "MiB", peak_bytes(naive) / mib, peak_bytes(optimized) / mib}};
      },
  };
}

extern constexpr Step step = checked({
    .id = "optimizer/foreach",
    .claim = "An optimizer that works on lists of tensors beats one that goes from tensor to tensor.",
    .claim_ids = "opt-foreach",
    .sides = {"one by one", "foreach"},
    .source = {.title = "PyTorch pull request 49039, multi-tensor optimizers",
               .url = "https://github.com/pytorch/pytorch/pull/49039",
               .where = "the tables of the description"},
    .axes = parameter_axes,
    .takes = list_fits,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "Adam 233 -> 46.9 ms, SGD 201.6 -> 57.0 ms (hardware not stated)",
                    .about = "tensors:100"},
    .tolerance = {.relative = 1e-5, .why = "a kernel over a list rounds between its steps in other places"},
});

}  // namespace microbench::optimizer_foreach
