// Mixed precision makes room: activations in two bytes instead of four.
//
// Question: Activations take half the bytes. At batch 64, does the peak fall or rise, and at 32768?
//
// The backward pass needs what the forward pass computed, so every layer's output is kept until then, and in
// training at a large batch these activations are most of the memory. Under autocast they are kept in FP16:
// half the bytes, so that nearly twice the batch fits.
//
// When it does not matter, or hurts: parameters stay in FP32, and autocast keeps a short copy of each beside
// them until its region ends (the backward pass holds on to it even longer). A network with many parameters
// and a small batch therefore needs more memory than before: here a batch of 64 adds little to the copies of
// twelve layers, and the peak rises. Gradients and the optimizer's state are FP32 on both sides: Adam keeps
// two moments, so that a parameter takes 16 bytes with its gradient and these, whatever the activations take.
//
// The result is memory, and the verdict is about it: the most that LibTorch held during one training step, on
// top of parameters and data, by its own count and not by what the process has reserved. It is the same in
// every round, so the interval is a point. What a step takes stands beside it. On the device the short format
// is FP16 with a scaled loss, on the CPU BF16 without.
//
// Answer: At 64 it rises: autocast keeps a short copy of the parameters, and a small batch has few
// activations to halve. At 32,768 it falls toward half, since nearly all of it is activations.

#include "microbench/precision/amp.hpp"
#include "microbench/tip.hpp"

namespace microbench::precision_amp_memory {

constexpr std::int64_t largest_on_cpu = 512;
constexpr std::int64_t width = 256;
constexpr std::int64_t layers = 12;
constexpr Axis axes[] = {{.name = "batch",
                          .about = "rows that go through twelve layers of 256 at once",
                          .values = {64, 512, 4096, 32768},
                          .quick = {64}}};

bool takes(const Point& point, const Device& device) {
  return device.is_cuda() || point["batch"] <= largest_on_cpu;
}

Trial prepare(Setup& setup, const Point& point) {
  const bool cuda = setup.device.is_cuda();
  if (cuda) require_capability(setup.device, 7, "FP16 on tensor cores");
  const auto s = amp_state(setup, {.batch = point["batch"], .width = width, .layers = layers});
  const auto device = torch_device(setup.device).type();

  auto trial = amp_trial(s);
  trial.naive = [s] { plain_step(*s); };
  trial.optimized = [s, device] { mixed_step(*s, device); };
  trial.figures = amp_peaks(s, trial);
  trial.statistic = Statistic::figure;
  return trial;
}

extern constexpr Step step = checked({
    .id = "precision/amp_memory",
    .claim = "Mixed precision lowers the peak memory of a training step.",
    .claim_ids = "prec-amp-memory",
    .sides = {"FP32", "autocast"},
    .source = {.title = amp_recipe_title, .url = amp_recipe_url, .where = "introduction"},
    .axes = axes,
    .takes = takes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .except = "batch:64"},
    .tolerance = half_curve,
    .delta = 0.01,  // bytes have no noise
});

}  // namespace microbench::precision_amp_memory
