// A large batch in small pieces: gradients add up until there are enough for one step.
//
// Question: A batch of 65536 in 4 or 16 pieces: what share of the peak is left, and how much longer does it
// take? And 1024 in 16?
//
// backward() adds to the gradients that are there. So k small batches leave the gradient of the large batch,
// if each has its loss divided by k. That holds for a loss that is a mean, for pieces that are equally large,
// and for layers that do not mix samples. Batch norm mixes them: its statistics are those of the small batch.
// Weight pieces of other sizes by their share of the batch. A loss that is a sum needs no division. Memory
// holds the activations of one small batch at a time (`against:batch`), so this is the way to a batch that
// does not fit. Compared with small batches that each end in a step, the optimizer works once instead of k
// times (`against:steps`).
//
// When it hurts: for time, where the large batch fits. There are k times as many kernels, each k times
// shorter, and the gradients are read and written k times. Where the device is not full (`batch:1024`), small
// pieces cost up to k times as much; where it is, the difference should be small. Forget to divide a mean,
// and the gradient is k times too large.
//
// `against:batch`: the first side is the whole batch at once, the second side the same in `pieces`. The
// result is memory, and the verdict is about it; the times stand beside it. `against:steps`: the first side
// steps after each piece, and time is judged. The steps are SGD's with momentum 1 and learning rate 0: they
// are two operators on one tensor, the least that a step takes, and the momentum adds up what they were
// given, so that both sides must agree.
//
// Answer: The peak falls to about that of one piece plus the gradients: a quarter or a sixteenth of the
// activations. For the batch of 65,536 the time should hardly grow, since each piece still fills the device;
// a batch of 1,024 in 16 pieces pays 16 times the launches, and up to 16 times the time on a device that it
// does not fill.

#include "microbench/autograd/autograd_layers.hpp"
#include "microbench/tip.hpp"

#include <c10/core/GradMode.h>

namespace microbench::autograd_accumulation {

constexpr std::int64_t batches[] = {1024, 65536};
constexpr Axis axes[] = {
    {.name = "batch", .about = "rows of input, all pieces together", .values = batches},
    {.name = "pieces", .about = "small batches, one after the other", .values = {4, 16}},
    {.name = "against",
     .about = "the naive form; batch: the whole batch at once; steps: the pieces, each with a step",
     .labels = {"batch", "steps"}}};

/// Gradients of the pieces, and steps after each of them or after the last.
struct Accumulated {
  Accumulated(const Setup& setup, std::int64_t batch, std::int64_t k)
      : layers(std::make_shared<Layers>(setup, /*layers=*/8, /*width=*/64, batch)),
        momentum(at::zeros_like(layers->weights)),
        pieces(k) {}
  void backward(const at::Tensor& piece) const {
    Layers::backward(apply_layers(piece, layers->weights), 1 / static_cast<double>(pieces));
  }
  void step() {
    const c10::NoGradGuard no_grad;
    layers->take_gradient();
    momentum.add_(layers->gradient);
    layers->weights.add_(momentum, 0);
  }
  void train(bool step_each) {
    momentum.zero_();
    for (const auto& piece : layers->input.chunk(pieces)) {
      backward(piece);
      if (step_each) step();
    }
    if (!step_each) step();
    layers->gradient = momentum;
  }
  std::shared_ptr<Layers> layers;
  at::Tensor momentum;
  std::int64_t pieces;
};

bool takes(const Point& point, const Device& device) {
  return device.is_cuda() || point["batch"] == batches[0];
}

Trial prepare(Setup& setup, const Point& point) {
  const auto s = std::make_shared<Accumulated>(setup, point["batch"], point["pieces"]);
  if (point["against"] == 1)
    return gradient_trial(s->layers, [s] { s->train(/*step_each=*/true); }, [s] { s->train(false); });

  const auto pieces = [s] {
    for (const auto& piece : s->layers->input.chunk(s->pieces)) s->backward(piece);
    s->layers->take_gradient();
  };
  auto trial = gradient_trial(s->layers, [s] { s->layers->train(); }, pieces);
  trial.statistic = Statistic::figure;
  return trial;
}

extern constexpr Step step = checked({
    .id = "autograd/accumulation",
    .claim = "Accumulating gradients gives a large batch's gradient with a small batch's memory.",
    .claim_ids = "grad-accumulation",
    .sides = {"the other way", "accumulated"},
    .source = {.title = "PyTorch, Automatic Mixed Precision examples",
               .url = "https://docs.pytorch.org/docs/stable/notes/amp_examples.html",
               .where = "Gradient accumulation"},
    .axes = axes,
    .takes = takes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "no figure",
                    .on_cpu = Outcome::helps,
                    .about = "against:batch"},
    .tolerance = {.relative = 1e-4, .why = "the batch is summed in pieces, in another order"},
    .cuda_tolerance = {.relative = 2e-3, .why = "products of other shapes round otherwise; a ReLU may flip"},
    .row_seconds = 6,
});

}  // namespace microbench::autograd_accumulation
