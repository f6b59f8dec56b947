// Validate every N epochs instead of after each.
//
// Question: Validation takes a third of an epoch's time. What is left of it, if you validate every fifth
// epoch only?
//
// A validation pass is a forward pass over data that are not learned from: about a third of a training step
// for each batch. Nothing of the training depends on it but the decision when to stop and which parameters to
// keep. Asked for more rarely, it takes its share of the time more rarely; that is all, and it is often a
// lot.
//
// When it does not matter: where the validation set is small beside the training set. What it costs: the best
// parameters may lie between two looks.
//
// A row measures ten epochs of four batches and a validation of four. The first side validates after each
// epoch, the second after the fifth and the tenth. The last validation loss is the same.
//
// Answer: A fifth of it. If validation took a third of the time that an epoch with it takes, the share falls
// from a third to one eleventh: 2 parts of training and 1 of validation become 10 and 1.

#include "microbench/loop/small_training.hpp"
#include "microbench/tip.hpp"

namespace microbench::loop_validation_every_n {

constexpr std::int64_t smallest = 64;
constexpr Axis axes[] = {
    {.name = "width", .about = "of the layers", .values = {smallest, 512}, .quick = {smallest}}};
constexpr int epochs = 10;
constexpr int batches = 4;

struct State {
  State(const Setup& setup, std::int64_t width) : training(setup, width) {}

  void train(int every) {
    training.restart();
    for (int epoch = 1; epoch <= epochs; ++epoch) {
      for (int i = 0; i < batches; ++i) training.step();
      if (epoch % every == 0) seen = validate();
    }
  }
  float validate() const {
    std::vector<at::Tensor> losses;
    for (int i = 0; i < batches; ++i) losses.push_back(training.validate());
    return at::stack(losses).mean().item<float>();
  }
  SmallTraining training;
  float seen = 0;
};

Trial prepare(Setup& setup, const Point& point) {
  const auto s = std::make_shared<State>(setup, point["width"]);
  return {
      .naive = [s] { s->train(1); },
      .optimized = [s] { s->train(5); },
      .clear = [s] { s->seen = -1; },
      .answer = [s](Form) -> Answer { return std::vector<float>{s->seen}; },
  };
}

constexpr RowCost costs[] = {{"width:512", 19}};

extern constexpr Step step = checked({
    .id = "loop/validation_every_n",
    .claim = "Validation after every fifth epoch shortens a training that validated after each.",
    .sides = {"each epoch", "every N epochs"},
    .source = {.title = "PyTorch Lightning, Trainer",
               .url = "https://lightning.ai/docs/pytorch/stable/common/trainer.html",
               .where = "check_val_every_n_epoch"},
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .on_cpu = Outcome::helps},
    .other_costs = costs,
});

}  // namespace microbench::loop_validation_every_n
