// Mask what does not count instead of gathering what does: the shape stays fixed, and nobody waits.
//
// Question: A loss counts one position in twenty. Gathering these costs a wait for the device; masking costs
// the arithmetic of the other nineteen. Which costs more on your device, and which on your processor?
//
// Some losses count a part of the positions only: the masked words of BERT, the pixels with a label. Written
// as `loss(logits[mask])` the number of rows depends on data, so the host must ask the device for it, and the
// queue runs dry in each step. The mean over all rows, weighted by the mask and divided by its sum, is the
// same number: it has a fixed shape, so the host runs ahead, and a graph can capture it.
//
// What it costs is arithmetic on rows that do not count. When it does not pay: where few rows count and each
// is expensive (a large vocabulary after the gather), and on the CPU, where nothing is queued and only the
// arithmetic is compared. Where all rows count (`percent:100`) the gather is a copy for nothing.
//
// A row times ten steps, each the loss of 4096 rows of logits and its gradient.
//
// Answer: On the processor masking costs more: nothing waits there, and twenty times the arithmetic is the
// whole difference. On a device it depends on the wait against that arithmetic: with cheap rows the gather
// costs more, with a large vocabulary the mask. If all rows count, the gather costs more everywhere.

#include "microbench/tip.hpp"

namespace microbench::sync_mask_not_gather {

constexpr std::int64_t percents[] = {5, 50, 100};
constexpr Axis axes[] = {{.name = "percent", .about = "of the rows that count", .values = percents}};
constexpr std::int64_t rows = 4096;
constexpr std::int64_t classes = 64;
constexpr int steps = 10;

struct State {
  State(std::int64_t percent, const Device& device) {
    const auto options = at::TensorOptions().device(torch_device(device));
    const auto places = at::arange(rows, options.dtype(at::kLong));
    mask = places.mul(37).remainder(100).lt(percent);
    weight = mask.to(at::kFloat);
    labels = places.remainder(classes);
    logits = at::arange(rows * classes, options.dtype(at::kFloat)).remainder_(13).view({rows, classes});
    logits.requires_grad_();
  }
  at::Tensor gathered() const {
    return at::cross_entropy_loss(logits.index({mask}), labels.masked_select(mask));
  }
  at::Tensor masked() const {
    const auto each = at::cross_entropy_loss(logits, labels, {}, at::Reduction::None);
    return (each * weight).sum() / weight.sum();
  }
  void step(const at::Tensor& loss) {
    logits.mutable_grad().reset();
    loss.backward();
    seen = loss.detach();
  }
  at::Tensor mask, weight, labels, logits, seen;
};

bool takes(const Point& point, const Device& device) {
  return device.is_cuda() || point["percent"] == percents[0];
}

Trial prepare(Setup& setup, const Point& point) {
  const auto s = std::make_shared<State>(point["percent"], setup.device);
  return {
      .naive =
          [s] {
            for (int i = 0; i < steps; ++i) s->step(s->gathered());
          },
      .optimized =
          [s] {
            for (int i = 0; i < steps; ++i) s->step(s->masked());
          },
      .clear =
          [s] {
            s->logits.mutable_grad() = at::full_like(s->logits, -1);
            s->seen = at::full({}, -1.0);
          },
      .answer =
          [s](Form) {
            return numbers_of(at::cat({s->logits.grad().view(-1), s->seen.view(1).to(s->logits.device())}));
          },
  };
}

extern constexpr Step step = checked({
    .id = "sync/mask_not_gather",
    .claim = "A loss that masks rows instead of gathering them saves a wait for the device in each step.",
    .claim_ids = "graph-mask-not-gather",
    .sides = {"gathered", "masked"},
    .source = {.title = "Accelerating PyTorch with CUDA Graphs",
               .url = "https://pytorch.org/blog/accelerating-pytorch-with-cuda-graphs/",
               .where = "BERT: the gather of the masked positions"},
    .axes = axes,
    .takes = takes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "a part of 1.12 times the whole training's speed (BERT, 4096 GPUs)",
                    .about = "percent:100"},
    .tolerance = {.relative = 1e-5, .why = "the mean adds up the losses in another order"},
});

}  // namespace microbench::sync_mask_not_gather
