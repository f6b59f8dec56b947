// Add metrics up on the device instead of on the host.
//
// Question: A loop counts how many guesses were right and sums its losses. Two numbers a step: where should
// they be added?
//
// `correct += (guess == target).sum().item()` looks cheap. It asks the device for a number in each step, and
// the host waits until the step has been done. A sum that stays a tensor is one more small kernel, which
// nobody waits for; it is read once, when the epoch is over.
//
// When it does not matter: on the CPU, where reading is free and the additional operator is not; and where
// the loop reads something in each step anyway.
//
// A row measures 100 steps of a small training with both sums.
//
// Answer: On a device: there, as tensors, with one reading at the end; adding is one small kernel, while
// reading makes the host wait in each step. On a CPU: wherever it is simpler, since reading is free.

#include "microbench/loop/small_training.hpp"
#include "microbench/tip.hpp"

namespace microbench::loop_metrics_on_device {

constexpr std::int64_t smallest = 64;
constexpr Axis axes[] = {
    {.name = "width", .about = "of the layers", .values = {smallest, 512}, .quick = {smallest}}};
constexpr int steps = 100;

struct State {
  State(const Setup& setup, std::int64_t width) : training(setup, width) {}

  /// How many losses of a validation batch lie below 1, beside the training's own.
  at::Tensor small_losses() const { return training.validate().lt(1).to(at::kFloat); }

  void on_host() {
    training.restart();
    double losses = 0, small = 0;
    for (int i = 0; i < steps; ++i) {
      losses += training.step().item<float>();
      small += small_losses().item<float>();
    }
    sums = {static_cast<float>(losses), static_cast<float>(small)};
  }
  void on_device() {
    training.restart();
    auto losses = at::zeros({2}, training.input().options().dtype(at::kDouble));
    for (int i = 0; i < steps; ++i) losses.add_(at::stack({training.step(), small_losses()}));
    const auto read = losses.cpu();
    sums = {static_cast<float>(read[0].item<double>()), static_cast<float>(read[1].item<double>())};
  }

  SmallTraining training;
  std::vector<float> sums;
};

Trial prepare(Setup& setup, const Point& point) {
  const auto s = std::make_shared<State>(setup, point["width"]);
  return {
      .naive = [s] { s->on_host(); },
      .optimized = [s] { s->on_device(); },
      .clear = [s] { s->sums = {-1, -1}; },
      .answer = [s](Form) -> Answer { return s->sums; },
  };
}

constexpr RowCost costs[] = {{"width:512", 55}};

extern constexpr Step step = checked({
    .id = "loop/metrics_on_device",
    .claim = "Metrics that are added up on the device shorten a loop that read them in each step.",
    .sides = {"on the host", "on the device"},
    .source = tuning_guide("Avoid unnecessary CPU-GPU synchronization"),
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .about = "width:64"},
    .other_costs = costs,
});

}  // namespace microbench::loop_metrics_on_device
