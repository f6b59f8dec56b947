// Keep one activation in many and compute the others again: memory for time (checkpointing).
//
// Question: Four segments of four layers: what share of the peak is left, and how much longer does the step
// take?
//
// The backward pass needs what the layers put out, in the reverse order. Ordinarily all of it is kept, and
// the peak grows with the depth. With checkpoints, only the input of each segment is kept; when the backward
// pass gets to a segment, its layers run a second time, now with a graph, and their activations live until
// the segment is done. The peak then is one input per segment and the activations of one segment: few long
// segments save inputs but hold many activations at a time; many short ones the reverse.
//
// What it costs is one more forward pass, about a third of the arithmetic of a step. When it is right: where
// the memory decides, because the batch would not fit otherwise or could grow. What is expensive to keep and
// cheap to compute again gains most; dropout must see the same random numbers twice, which this step avoids
// by having none. LibTorch has no checkpoint function for C++: microbench/autograd/autograd_layers.cpp writes
// one.
//
// The result is memory, and the verdict is about it; the times, which should be worse, stand beside it. With
// one layer in each segment (`segments:16`) every layer's input is kept, and nothing is saved.
//
// Answer: Of 16 activations about 8 remain at the peak: four inputs of segments, and the four layers of the
// segment that is being computed again; gradients and workspace come on top. The step takes one more forward
// pass, about a third longer.

#include "microbench/autograd/autograd_layers.hpp"
#include "microbench/tip.hpp"

namespace microbench::autograd_checkpoint_memory {

constexpr std::int64_t batches[] = {1024, 65536};
constexpr Axis axes[] = {
    {.name = "batch", .about = "rows of input", .values = batches},
    {.name = "segments", .about = "into which the 16 layers are divided", .values = {4, 16}}};
constexpr std::int64_t depth = 16;
constexpr std::int64_t width = 64;

using Segment = at::Tensor (*)(const at::Tensor&, const at::Tensor&);

at::Tensor keep_everything(const at::Tensor& x, const at::Tensor& stacked) {
  return apply_layers(x, stacked);
}

/// Forward through the segments, backward, and the gradient of all weights.
void train(Layers& layers, std::int64_t segments, Segment segment) {
  auto x = layers.input;
  for (const auto& stacked : layers.weights.chunk(segments)) x = segment(x, stacked);
  Layers::backward(x);
  layers.take_gradient();
}

bool takes(const Point& point, const Device& device) {
  return device.is_cuda() || point["batch"] == batches[0];
}

Trial prepare(Setup& setup, const Point& point) {
  const auto s = std::make_shared<Layers>(setup, depth, width, point["batch"]);
  const auto segments = point["segments"];
  const auto naive = [s, segments] { train(*s, segments, keep_everything); };
  const auto optimized = [s, segments] { train(*s, segments, apply_layers_checkpointed); };
  auto trial = gradient_trial(s, naive, optimized);
  trial.statistic = Statistic::figure;
  return trial;
}

extern constexpr Step step = checked({
    .id = "autograd/checkpoint_memory",
    .claim = "Checkpointing lowers the peak of memory; the step takes longer.",
    .claim_ids = "grad-checkpoint-memory",
    .sides = {"all kept", "checkpoints"},
    .source = tuning_guide("Checkpoint intermediate buffers"),
    .axes = axes,
    .takes = takes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "no figure",
                    .on_cpu = Outcome::helps,
                    .about = "segments:4"},
    .tolerance = {.relative = 1e-5, .why = "the library may choose its kernel by the alignment of addresses"},
    .delta = 0.01,  // bytes have no noise
    .row_seconds = 6,
});

}  // namespace microbench::autograd_checkpoint_memory
