// Let cuDNN try its algorithms out.
//
// Question: cuDNN chooses a convolution's algorithm by rule of thumb, or by trying all of them once. How
// much better is the tried one for the shapes of ResNet-50?
//
// With benchmark mode on, the first call with a shape runs every algorithm that fits into memory, and the
// fastest serves all later calls with that shape. A training with batches of one size has few shapes, so
// the trial is paid for once.
//
// When it hurts: where sizes change from batch to batch, since each new one is tried out. When it does not
// matter: where the rule of thumb was right, and on the CPU, which has no cuDNN; the row is skipped there.
//
// The row times a training step on batches of 8 images of 64 x 64: the kept rungs below this one against
// the same with it, after a first pass that makes the trials. It is a branch: the algorithms found may
// round otherwise from run to run.

#include "workloads/resnet50/rung.hpp"

namespace workloads::resnet50_cudnn_benchmark {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  if (!setup.device.is_cuda()) throw Skip("a CPU has no cuDNN");
  return resnet50::trial(setup, &training::Switches::cudnn_benchmark);
}

}  // namespace

extern constexpr Step step = checked({
    .id = "resnet50/cudnn_benchmark",
    .claim = "cuDNN's benchmark mode shortens a training step of ResNet-50.",
    .source = {.title = "PyTorch Performance Tuning Guide",
               .url = "https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html",
               .where = "Enable cuDNN auto-tuner"},
    .runs = Runs::session,
    .axes = training::step_axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
    .tolerance = {.relative = 1e-2,
                  .why = "cuDNN's algorithms add in another order, some by Winograd's scheme"},
    .row_seconds = 90,
    .full_only = true,
});

}  // namespace workloads::resnet50_cudnn_benchmark
