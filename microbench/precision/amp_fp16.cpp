// Train in mixed precision: autocast to FP16, with a scaled loss.
//
// Question: The source promises 2 to 3 times for layers of 4096. How much of that remains at a width of 512,
// and how much against TF32?
//
// Tensor cores multiply FP16 numbers many times faster than the ordinary units multiply FP32, and FP16 is
// half the bytes to move. Autocast casts what enters a product or convolution to FP16 and leaves in FP32
// what needs its range: sums, losses, the parameters themselves and the optimizer. The smallest positive
// number in FP16 is 6e-8, though (its largest is 65504), and gradients are small: so the loss is multiplied
// by a large factor, the gradients are divided by it before the optimizer sees them, and a step whose
// gradients overflowed is left out. After each step the factor is adapted (in Python `scaler.update()`): it
// is lowered after an overflow, and raised after many steps without one. LibTorch has no such scaler in C++;
// grad_scaler.hpp is one.
//
// The ratio is the chip's: 15 or 16 times FP32's rate on an A100 or H200 by data sheets, 4 on an A40, L4 or
// L40S, 2 on GeForce cards (RTX 3090, 4090, 5090) and the A10G.
//
// When it does not matter: in small networks, where starting kernels is the price (autocast adds casts, the
// scaler a wait); where most of the time goes into other things than matrix products. `baseline:tf32` shows
// what is left where FP32 products already run on the tensor cores; on the newest devices that may be
// nothing.
//
// A row times one training step of three linear layers at batch 512, SGD included. Autocast ends before the
// backward pass, as it should: each operator goes back in the type that it came in. The peak memory of a step
// stands beside the times, and the sides' loss curves are compared with each other first.
//
// Answer: Less at 512, where starting kernels and casts weigh more; less or nothing against TF32, whose
// products run on the tensor cores already. On the H200 here (commit 7400cad) layers of 4096 took 3.30 ->
// 1.57 ms, a factor of 2.1, against FP32.

#include "harness/libtorch/precision.hpp"

#include "microbench/precision/amp.hpp"
#include "microbench/tip.hpp"

namespace microbench::precision_amp_fp16 {

constexpr Axis axes[] = {width_axis({512, 2048, 4096}, {4096}), baseline_axis};

Trial prepare(Setup& setup, const Point& point) {
  require_capability(setup.device, point["baseline"] != 0 ? 8 : 7,
                     point["baseline"] != 0 ? "TF32" : "FP16 on tensor cores");
  const auto s = amp_state(setup, {.batch = 512, .width = point["width"]});
  const auto* const precision = baseline_precisions[point["baseline"]];

  auto trial = amp_trial(s);
  trial.naive = [s, precision] {
    const MatmulPrecision set(precision);
    s->mlp.forget_gradients();
    s->mlp.loss().backward();
    s->mlp.descend();
  };
  trial.optimized = [s, precision] {
    const MatmulPrecision set(precision);
    s->mlp.forget_gradients();
    at::Tensor loss;
    {
      const Autocast on(at::kCUDA, at::kHalf);
      loss = s->mlp.loss();
    }
    s->scaler.scale(loss).backward();
    s->scaler.unscale(s->mlp.gradients());
    if (!s->scaler.overflowed()) s->mlp.descend();
    s->scaler.update();
  };
  trial.figures = amp_peaks(s, trial);
  return trial;
}

extern constexpr Step step = checked({
    .id = "precision/amp_fp16",
    .claim = "Autocast to FP16 with a scaled loss makes training steps faster and smaller in memory.",
    .claim_ids = "prec-amp-fp16",
    .sides = {"FP32", "FP16 autocast"},
    .source = {.title = amp_recipe_title,
               .url = amp_recipe_url,
               .where = "introduction; A simple network; Adding GradScaler"},
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "2-3x on Volta, Turing and Ampere (3 layers of 4096, batch 512)",
                    .about = "width:4096/baseline:fp32"},
    .tolerance = half_curve,
    .row_seconds = 8,
    .suite = Suite::quick,
});

}  // namespace microbench::precision_amp_fp16
