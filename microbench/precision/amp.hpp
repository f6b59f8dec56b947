// What the steps on autocast share: their source, their state, and which points can run where; and the
// network of PyTorch's recipe for mixed precision: linear layers with ReLU between them, trained by SGD.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/core/step.hpp"
#include "harness/cuda/require_device_memory.hpp"
#include "harness/libtorch/answer.hpp"
#include "harness/libtorch/precision.hpp"

#include "microbench/precision/grad_scaler.hpp"
#include "microbench/values.hpp"

namespace microbench {

struct MlpShape {
  std::int64_t batch = 0;
  std::int64_t width = 0;  // of input, output and all layers
  std::int64_t layers = 3;
};

/// Layers in FP32 with one batch of data.
class Mlp {
 public:
  Mlp(const harness::Setup& setup, MlpShape shape);

  /// The mean squared error of the batch; keeps its value for `answer`.
  at::Tensor loss();
  void forget_gradients();
  std::vector<at::Tensor> gradients() const;
  void descend();

  /// Parameters as they were at first.
  void start_again();
  /// The same, and no loss seen.
  void clear();
  /// The last loss. The fifth of a run shows what four steps have done to the parameters.
  harness::Answer answer() const;
  /// Gives back what a step leaves behind: gradients and loss.
  void drop_results();

  /// Bytes of parameters, their first values and gradients, and of a pass, all in FP32: more than is needed.
  static std::size_t bytes(MlpShape shape);

 private:
  std::vector<at::Tensor> parameters_;  // weight, bias, weight, ...
  std::vector<at::Tensor> start_;
  at::Tensor input_, target_, seen_;
};

/// How many steps of a loss curve are compared.
inline constexpr int curve_steps = 5;

/// The most memory that one step of each form takes on top of parameters and data.
harness::Figure peak_figure(Mlp& mlp, const std::function<void()>& naive,
                            const std::function<void()>& optimized);

inline constexpr std::string_view amp_recipe_title = "PyTorch, Automatic Mixed Precision (recipe)";
inline constexpr std::string_view amp_recipe_url =
    "https://docs.pytorch.org/tutorials/recipes/recipes/amp_recipe.html";

/// In what FP32 products are multiplied where autocast is off.
inline constexpr const char* baseline_precisions[] = {"highest", "high"};
inline constexpr harness::Axis baseline_axis{
    .name = "baseline",
    .about = "fp32: without autocast, products are FP32; tf32: they are TF32",
    .quick = {0},
    .labels = {"fp32", "tf32"}};

constexpr harness::Axis width_axis(harness::Few<std::int64_t> widths, harness::Few<std::int64_t> quick) {
  return {.name = "width",
          .about = "inputs and outputs of each of the three layers",
          .values = widths,
          .quick = quick};
}

inline constexpr harness::Tolerance half_curve{
    .relative = 1e-2,
    .why = "FP16 keeps 11 bits of each value and BF16 8; the loss is compared after four steps"};

/// A network and the scaler that FP16 needs.
struct AmpState {
  AmpState(const harness::Setup& setup, MlpShape shape)
      : mlp(setup, shape), scaler(harness::torch_device(setup.device)) {}
  void start_again() {
    mlp.start_again();
    scaler.start_again();
  }
  void clear() {
    mlp.clear();
    scaler.start_again();
  }
  Mlp mlp;
  GradScaler scaler;
};

inline std::shared_ptr<AmpState> amp_state(const harness::Setup& setup, MlpShape shape) {
  if (setup.device.is_cuda()) harness::require_device_memory(Mlp::bytes(shape));
  return std::make_shared<AmpState>(setup, shape);
}

/// Everything of a trial but its two forms.
inline harness::Trial amp_trial(const std::shared_ptr<AmpState>& s) {
  harness::Trial trial;
  trial.clear = [s] { s->clear(); };
  trial.answer = [s](harness::Form) { return s->mlp.answer(); };
  trial.answer_runs = curve_steps;
  trial.before_slot = [s](harness::Form) { s->start_again(); };
  return trial;
}

/// The most memory that a step of each form takes; asked for once both forms are in the trial.
inline std::function<std::vector<harness::Figure>()> amp_peaks(const std::shared_ptr<AmpState>& s,
                                                               const harness::Trial& trial) {
  return [s, naive = trial.naive, optimized = trial.optimized]() -> std::vector<harness::Figure> {
    return {peak_figure(s->mlp, naive, optimized)};
  };
}

/// One training step in FP32.
inline void plain_step(AmpState& s) {
  s.mlp.forget_gradients();
  s.mlp.loss().backward();
  s.mlp.descend();
}

/// One training step in mixed precision: on the device FP16 with a scaled loss, on the CPU BF16 without.
inline void mixed_step(AmpState& s, at::DeviceType device) {
  const bool scaled = device == at::kCUDA;
  s.mlp.forget_gradients();
  at::Tensor loss;
  {
    const harness::Autocast on(device, scaled ? at::kHalf : at::kBFloat16);
    loss = s.mlp.loss();
  }
  (scaled ? s.scaler.scale(loss) : loss).backward();
  if (scaled) s.scaler.unscale(s.mlp.gradients());
  if (!scaled || !s.scaler.overflowed()) s.mlp.descend();
  if (scaled) s.scaler.update();
}

}  // namespace microbench
