// Leave out the bias of a convolution that batch normalization follows.
//
// Question: The bias cancels. What share of a training step does leaving it out save, on the device and on
// your CPU?
//
// Batch normalization subtracts each channel's mean. A bias adds the same number to all values of a channel,
// hence to the mean as well, and the two cancel: the result, and the gradients of everything else, are those
// without a bias. On the device the bias is a separate operator, which reads and writes the whole output of
// the convolution, and its gradient is a sum over all of it. It also is a parameter that the optimizer keeps
// state for.
//
// When it does not matter: where the library adds the bias inside of its convolution kernel, as oneDNN does
// on the CPU; beside convolutions that take far longer than a pass over memory, as at `7x512`, whose output
// is small. A linear layer before batch normalization is the same case. A frozen batch normalization (eval())
// is not: it subtracts fixed means, so a bias counts. Layer normalization is not: it subtracts the mean over
// the channels, and biases that differ between them do not cancel.
//
// A row times forward and backward pass of three layers of 3 x 3 convolution, batch normalization and ReLU,
// at batch 32 on the device and batch 1 on the CPU. The number of parameters stands beside the times.
//
// Answer: On the device a pass over the convolution's output forward and a sum over it backward: a visible
// share of the short convolutions, little at `7x512`. On the CPU oneDNN adds the bias inside the
// convolution, so only its gradient is saved.

#include "microbench/format/conv_net.hpp"
#include "microbench/tip.hpp"

namespace microbench::format_conv_bias_before_bn {

constexpr std::int64_t shapes[] = {0, 2, 3};
constexpr std::int64_t last_on_cpu = 2;
constexpr Axis axes[] = {conv_shape_axis(shapes)};

bool takes(const Point& point, const Device& device) {
  return device.is_cuda() || point["shape"] <= last_on_cpu;
}

Trial prepare(Setup& setup, const Point& point) {
  const auto net = fp32_net(setup, point["shape"]);
  const auto biased = std::make_shared<const ConvNet>(net.with_bias());
  const auto plain = std::make_shared<const ConvNet>(net.in_format(at::MemoryFormat::Contiguous));

  auto trial = training_trial(biased, plain);
  trial.naive = [biased] { training_pass(*biased); };
  trial.optimized = [plain] { training_pass(*plain); };
  trial.figures = [biased, plain]() -> std::vector<Figure> {
    return {{"parameters", "", static_cast<double>(biased->parameters()),
             static_cast<double>(plain->parameters())}};
  };
  return trial;
}

extern constexpr Step step = checked({
    .id = "format/conv_bias_before_bn",
    .claim = "Convolutions before batch normalization train faster without a bias.",
    .claim_ids = "conv-bias-before-bn",
    .sides = {"bias", "no bias"},
    .source = tuning_guide("Disable bias for convolutions directly followed by a batch norm"),
    .axes = axes,
    .takes = takes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .except = "shape:7x512"},
    .tolerance = {.relative = 2e-2,
                  .why = "the bias and its subtraction round, and a ReLU whose input is nearly zero may open "
                         "in one form only"},
});

}  // namespace microbench::format_conv_bias_before_bn
