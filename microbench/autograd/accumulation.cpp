// A large batch in small pieces: gradients add up until there are enough for one step.
//
// backward() adds to the gradients that are there. So k small batches, each with its loss divided by k,
// leave the gradient of the large batch, and never more than the activations of a small one are held. The
// optimizer steps once in k passes, which also spares its work. It is the way to a batch that the memory
// cannot hold.
//
// What it is not is a way to be faster than the large batch in one go where that fits: k times as many
// kernels, each k times shorter, and the gradients are read and written k times. Where the device is not
// full (`batch:1024`), small pieces cost up to k times as much; where it is, the difference should be small.
// Forget to divide the loss, and the gradient is k times too large.
//
// The naive form is the whole batch at once, the optimized form the same in `pieces`; the gradients must
// agree. The result is memory, and the verdict is about it; the times stand beside it.

#include "microbench/autograd/layers.hpp"
#include "microbench/steps.hpp"

#include <ATen/ATen.h>

#include <memory>

namespace microbench {
namespace {

using namespace harness;

constexpr std::int64_t batches[] = {1024, 65536};
constexpr std::int64_t counts[] = {4, 16};
constexpr Axis axes[] = {
    {.name = "batch", .about = "rows of input, all pieces together", .values = batches, .quick = batches},
    {.name = "pieces", .about = "small batches, one after the other", .values = counts, .quick = counts}};

Trial prepare(Setup& setup, const Point& point) {
  if (!setup.device.is_cuda() && point["batch"] > batches[0])
    throw Skip("the smaller batch shows it on the CPU");
  const auto s = std::make_shared<Layers>(setup, /*layers=*/8, /*width=*/64, point["batch"]);
  const auto pieces = point["pieces"];
  const auto naive = [s] { s->train(); };
  const auto optimized = [s, pieces] {
    for (const auto& piece : s->input.chunk(pieces))
      Layers::backward(apply_layers(piece, s->weights), 1 / static_cast<double>(pieces));
    s->take_gradient();
  };
  auto trial = gradient_trial(s, naive, optimized);
  trial.statistic = Statistic::figure;
  return trial;
}

}  // namespace

constexpr Step autograd_accumulation{
    .id = "autograd/accumulation",
    .claim = "Accumulating gradients gives a large batch's gradient with a small batch's memory.",
    .claim_ids = "grad-accumulation",
    .source = {.title = "PyTorch, Automatic Mixed Precision examples",
               .url = "https://docs.pytorch.org/docs/stable/notes/amp_examples.html",
               .where = "Gradient accumulation"},
    .runs = Runs::each,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .on_cpu = Outcome::helps},
    .tolerance = {.relative = 1e-4, .why = "The batch is summed in pieces, in another order."},
    .cuda_tolerance = {.relative = 2e-3, .why = "Products of other shapes round otherwise; a ReLU may flip."},
    .delta = 0.01,  // bytes have no noise
    .row_seconds = 6,
    .full_only = true,
};
static_assert(well_formed(autograd_accumulation));

}  // namespace microbench
