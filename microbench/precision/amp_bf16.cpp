// Autocast to BF16: the same gain as FP16, without scaling the loss.
//
// Question: Does your CPU have instructions for BF16? If not, does autocast make a training step faster or
// slower on it?
//
// BF16 is FP32 with the lower half of its bits cut off: the same range with 8 significant bits instead of 24.
// Tensor cores multiply it as fast as FP16, and it is as short. BF16 overflows and underflows almost only
// where FP32 does, so the loss needs no scaling: no scaler, no check of every gradient for overflow, and no
// wait for the answer. The price is accuracy; in training the rounding error is usually smaller than the
// noise of the batches.
//
// When it does not matter: in small networks, where starting kernels is the price. Devices before Ampere
// have no units for it and convert at every operator, so they are skipped here. Many processors have BF16
// instructions as well, and LibTorch's autocast knows the CPU: where they are missing, autocast is slower.
//
// A row times one training step of three linear layers, SGD included: batch 512 on the device, 128 on the
// CPU. The source promises the gain of FP16, which was published for layers of 4096. The peak memory of a
// step stands beside the times.
//
// Answer: `lscpu` lists avx512_bf16 or amx_bf16 if it has them. If not, slower: each product converts to
// FP32 and back, and autocast adds casts. With them the products of wide layers gain.

#include "harness/libtorch/precision.hpp"

#include "microbench/precision/amp.hpp"
#include "microbench/tip.hpp"

namespace microbench::precision_amp_bf16 {

constexpr std::int64_t smallest = 512;
constexpr Axis axes[] = {width_axis({smallest, 2048, 4096}, {smallest}), baseline_axis};

bool takes(const Point& point, const Device& device) {
  return device.is_cuda() || (point["baseline"] == 0 && point["width"] == smallest);
}

Trial prepare(Setup& setup, const Point& point) {
  if (setup.device.is_cuda()) require_capability(setup.device, 8, "BF16 on tensor cores");
  const auto s = amp_state(setup, {.batch = setup.device.is_cuda() ? 512 : 128, .width = point["width"]});
  const auto* const precision = baseline_precisions[point["baseline"]];
  const auto device = torch_device(setup.device).type();

  auto trial = amp_trial(s);
  trial.naive = [s, precision] {
    const MatmulPrecision set(precision);
    s->mlp.forget_gradients();
    s->mlp.loss().backward();
    s->mlp.descend();
  };
  trial.optimized = [s, precision, device] {
    const MatmulPrecision set(precision);
    s->mlp.forget_gradients();
    at::Tensor loss;
    {
      const Autocast on(device, at::kBFloat16);
      loss = s->mlp.loss();
    }
    loss.backward();
    s->mlp.descend();
  };
  trial.figures = amp_peaks(s, trial);
  return trial;
}

extern constexpr Step step = checked({
    .id = "precision/amp_bf16",
    .claim = "Autocast to BF16 makes training steps faster without a scaled loss.",
    .claim_ids = "prec-amp-bf16",
    .sides = {"FP32", "BF16 autocast"},
    .source = {.title = "What Every User Should Know About Mixed Precision Training in PyTorch",
               .url = "https://pytorch.org/blog/"
                      "what-every-user-should-know-about-mixed-precision-training-in-pytorch/",
               .where = "Picking The Right Approach"},
    .axes = axes,
    .takes = takes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .about = "width:4096"},
    .tolerance = half_curve,
    .row_seconds = 8,
});

}  // namespace microbench::precision_amp_bf16
