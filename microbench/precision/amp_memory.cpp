// Mixed precision makes room: activations in two bytes instead of four.
//
// The backward pass needs what the forward pass computed, so every layer's output is kept until then, and in
// training at a large batch these activations are most of the memory. Under autocast they are kept in FP16:
// half the bytes, so that nearly twice the batch fits.
//
// When it does not matter, or hurts: parameters stay in FP32, and autocast keeps a short copy of each beside
// them until its region ends (the backward pass holds on to it even longer). A network with many parameters
// and a small batch therefore needs more memory than before. Gradients and the optimizer's state are FP32 in
// both forms.
//
// The result of a row is the figure beside its times: the most memory that LibTorch held during one training
// step, on top of parameters and data, by its own count and not by what the process has reserved. On the
// device the short format is FP16 with a scaled loss, on the CPU BF16 without.

#include "microbench/precision/amp.hpp"
#include "microbench/steps.hpp"

namespace microbench {
namespace {

using namespace harness;

constexpr std::int64_t batches[] = {64, 512, 4096, 32768};
constexpr std::int64_t quick_batches[] = {64};
constexpr std::int64_t largest_on_cpu = 512;
constexpr std::int64_t width = 512;
constexpr Axis axes[] = {{.name = "batch",
                          .about = "rows that go through three layers of 512 at once",
                          .values = batches,
                          .quick = quick_batches}};

Trial prepare(Setup& setup, const Point& point) {
  const bool cuda = setup.device.is_cuda();
  if (cuda) require_capability(setup.device, 7, "FP16 on tensor cores");
  if (!cuda && point["batch"] > largest_on_cpu) throw Skip("the two smallest batches show it on the CPU");
  const auto s = amp_state(setup, {.batch = point["batch"], .width = width});
  const auto device = torch_device(setup.device).type();

  auto trial = amp_trial(s);
  trial.naive = [s] { plain_step(*s); };
  trial.optimized = [s, device] { mixed_step(*s, device); };
  trial.figures = amp_peaks(s, trial);
  return trial;
}

}  // namespace

constexpr Step precision_amp_memory{
    .id = "precision/amp_memory",
    .claim = "Mixed precision lowers the peak memory of a training step.",
    .claim_ids = "prec-amp-memory",
    .source = {.title = amp_recipe_title, .url = amp_recipe_url, .where = "introduction"},
    .runs = Runs::each,
    .axes = axes,
    .prepare = prepare,
    // Of the times: the claim is about the figure.
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
    .tolerance = half_curve,
    .full_only = true,
};
static_assert(well_formed(precision_amp_memory));

}  // namespace microbench
