// Let gradients lie in the buckets that are exchanged, instead of copying them in and out.
//
// Question: A network with 16 MiB of parameters on each rank. How much memory is saved if its gradients are
// the buckets, and does a step get faster?
//
// LibTorch's Reducer holds a bucket for every gradient, in which it adds up those of all ranks. By default
// the gradients are tensors of their own: the backward pass makes one, the Reducer copies it into its bucket,
// and when the exchange is over copies the mean back. So all gradients are held twice. With
// `gradient_as_bucket_view` a gradient becomes a view into its bucket: what the exchange leaves there is the
// gradient, and the copy out and the second memory are gone.
//
// When it does not matter: for time, if the exchange or the layers' own work takes much longer than a copy.
// What it costs: views cannot be detached, and code that replaces `.grad` by another tensor loses the view
// until the next backward pass.
//
// A row is a forward and a backward pass on each rank through 16 layers of 512 by 512, in buckets of 25 MiB.
// Gradients are set to none before each pass, as optimizers do. `of:memory` judges what LibTorch holds at the
// peak of a pass above what it holds before; `of:time` judges the time.
//
// Answer: Up to 16 MiB: gradients are then held once and not twice. The copy out of the bucket falls away
// too, a pass over 16 MiB, which shows only where the exchange and the layers take little longer than that.

#include "harness/libtorch/work_counts.hpp"

#include "microbench/parallel/parallel_training.hpp"

namespace microbench::parallel_bucket_view {

using namespace harness;
using namespace parallel;

constexpr Axis axes[] = {{.name = "of", .about = "what is judged", .labels = {"memory", "time"}}};

/// All ranks take part, since the forms exchange.
std::vector<Figure> peaks(const Training& s, const std::function<void()>& naive,
                          const std::function<void()>& optimized) {
  constexpr double mib = 1 << 20;
  s.naive.forget_gradients();
  s.optimized.forget_gradients();
  const auto of_naive = peak_bytes(naive) / mib;
  return {{"peak memory", "MiB", of_naive, peak_bytes(optimized) / mib}};
}

Trial prepare(Setup& setup, const Point& point) {
  const auto s = std::make_shared<const Training>(setup, NetShape{.layers = 16});
  auto trial =
      ddp_trial(s, s->ddp(Form::naive, {}), s->ddp(Form::optimized, {.gradient_as_bucket_view = true}));
  trial.figures = [s, naive = trial.naive, optimized = trial.optimized] {
    return peaks(*s, naive, optimized);
  };
  if (point["of"] == 0) trial.statistic = Statistic::figure;
  return trial;
}

extern constexpr Step step = checked({
    .id = "parallel/bucket_view",
    .claim = "Gradients that are views into the buckets need less memory than gradients of their own.",
    .sides = {"copied", "views"},
    .source = ddp_api("gradient_as_bucket_view"),
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "\"the saved memory size will be equal to the total gradients size\"",
                    .on_cpu = Outcome::helps,
                    .about = "of:memory"},
    .tolerance = single_sums,
    .row_seconds = 40,
});

}  // namespace microbench::parallel_bucket_view
