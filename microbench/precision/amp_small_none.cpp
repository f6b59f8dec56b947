// Leave mixed precision out of a network that is too small for the device.
//
// Question: Three layers of 16, at batch 16: does mixed precision gain anything, or does it cost, and how
// much?
//
// Autocast makes products faster. A small network's products take a few microseconds each, less than the host
// needs to start them: the device waits for the host, and shortening what it does between two starts changes
// nothing. What autocast adds does: a cast of every parameter and every activation that is not yet in the
// short format, each a separate kernel, then the scaling, the check of the gradients and the wait for its
// result. The source says only that the speedup is minor. A row times the whole step, in which casts and
// waits decide, so the source does not say what to expect.
//
// When mixed precision does help: at widths at which a product takes longer than its start;
// precision/amp_fp16 goes on from here. A way out for small networks is fewer, larger launches: bigger
// batches, fused operators, a CUDA graph.
//
// A row times one training step of three linear layers at batch 16, with autocast and without: on the device
// FP16 with a scaled loss, on the CPU BF16 without, since that is what processors have instructions for.
//
// Answer: It costs: casts of parameters and activations, the scaling, the check and its wait are kernels and
// calls that a step of calls does not have. Its products of 16 take less than their launch in any format. On
// two cores of an EPYC a step took 102 us with autocast and 58.9 us without (commit 03cee4c).

#include "microbench/precision/amp.hpp"
#include "microbench/tip.hpp"

namespace microbench::precision_amp_small_none {

constexpr std::int64_t widest_on_cpu = 64;
constexpr Axis axes[] = {width_axis({16, 64, 256, 512}, {16})};

bool takes(const Point& point, const Device& device) {
  return device.is_cuda() || point["width"] <= widest_on_cpu;
}

Trial prepare(Setup& setup, const Point& point) {
  const bool cuda = setup.device.is_cuda();
  if (cuda) require_capability(setup.device, 7, "FP16 on tensor cores");
  const auto s = amp_state(setup, {.batch = 16, .width = point["width"]});
  const auto device = torch_device(setup.device).type();

  auto trial = amp_trial(s);
  trial.naive = [s, device] { mixed_step(*s, device); };
  trial.optimized = [s] { plain_step(*s); };
  return trial;
}

extern constexpr Step step = checked({
    .id = "precision/amp_small_none",
    .claim = "A small network's training step is no slower without mixed precision.",
    .claim_ids = "prec-amp-small-none",
    .sides = {"autocast", "FP32"},
    .source = {.title = amp_recipe_title,
               .url = amp_recipe_url,
               .where = "A simple network; Troubleshooting, Speedup with Amp is minor, 1"},
    .axes = axes,
    .takes = takes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
    .tolerance = half_curve,
});

}  // namespace microbench::precision_amp_small_none
