// Ask every N steps whether to stop, instead of in each step.
//
// Question: A loop stops when its loss has not fallen for a while. It looks after each step. What does
// looking every ten steps save, and what may it cost?
//
// To compare a loss with the best one so far, the host needs the number, and a device must have finished the
// step before it can be read. So the question "better than before?" makes a wait of every step. Asked every N
// steps, with the smallest loss of those steps found on the device, it is one wait in N. Patience then counts
// looks and not steps: a loop that ends after P looks without a better loss ends up to (P + 1) (N - 1) steps
// later than one that ends after P such steps. Divide P by N, and it is N - 1 at most.
//
// When it does not matter: where a step takes far longer than the wait, or where the check follows an epoch
// and not a step. On the CPU the number is there at once.
//
// A row measures 100 steps in which the loss keeps falling, so that both sides train all of them; each counts
// how often it was not better than before.
//
// Answer: Nine of ten waits for the device; how much that is depends on the step: much of a short one, little
// of a long one, nothing on the CPU. It may cost steps that are trained too many: with a patience of three,
// 27 to 36 if it counts looks, up to nine if it still counts steps.

#include "microbench/loop/small_training.hpp"
#include "microbench/tip.hpp"

#include <limits>

namespace microbench::loop_early_stopping {

constexpr std::int64_t smallest = 64;
constexpr Axis axes[] = {
    {.name = "width", .about = "of the layers", .values = {smallest, 512}, .quick = {smallest}}};
constexpr int steps = 100;
constexpr int every = 10;

/// Stops after so many looks without a better loss.
struct Patience {
  float best = std::numeric_limits<float>::infinity();
  int without = 0;
  bool ends(float loss) {
    constexpr int most = 3;
    without = loss < best ? 0 : without + 1;
    best = std::min(best, loss);
    return without == most;
  }
};

struct State {
  State(const Setup& setup, std::int64_t width) : training(setup, width) {}
  SmallTraining training;
  float best = 0;
};

void look_each(State& s) {
  s.training.restart();
  Patience patience;
  for (int i = 0; i < steps; ++i)
    if (patience.ends(s.training.step().item<float>())) break;
  s.best = patience.best;
}

void look_every(State& s) {
  s.training.restart();
  Patience patience;
  std::vector<at::Tensor> losses;
  for (int i = 0; i < steps; ++i) {
    losses.push_back(s.training.step());
    if (losses.size() < every) continue;
    if (patience.ends(at::stack(losses).min().item<float>())) break;
    losses.clear();
  }
  s.best = patience.best;
}

Trial prepare(Setup& setup, const Point& point) {
  const auto s = std::make_shared<State>(setup, point["width"]);
  return {
      .naive = [s] { look_each(*s); },
      .optimized = [s] { look_every(*s); },
      .clear = [s] { s->best = -1; },
      .answer = [s](Form) -> Answer { return std::vector<float>{s->best}; },
  };
}

constexpr RowCost costs[] = {{"width:512", 40}};

extern constexpr Step step = checked({
    .id = "loop/early_stopping",
    .claim = "Early stopping that looks every ten steps shortens a loop that looked after each.",
    .sides = {"each step", "every N steps"},
    .source = tuning_guide("Avoid unnecessary CPU-GPU synchronization"),
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .about = "width:64"},
    .other_costs = costs,
});

}  // namespace microbench::loop_early_stopping
