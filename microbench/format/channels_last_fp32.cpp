// Without tensor cores, channels_last may gain nothing.
//
// Question: Without tensor cores there may be nothing to gain. On which of your devices does channels_last
// help in training?
//
// The format suits tensor cores, which read their factors in rows of channels. FP32 convolutions that are
// computed as FP32, not TF32, run on the ordinary units, whose kernels were written for NCHW first: some are
// faster in channels_last, others slower, and the advice is meant for mixed precision. The pointwise
// operators around the convolutions read and write the same bytes in either format.
//
// When it still matters: on the CPU, whose library (oneDNN) computes convolutions in blocks of channels in
// any case and need not turn the images around. This step times training on the CPU, format/channels_last_cpu
// inference. With TF32 allowed, LibTorch's default, expect something between this step and
// format/channels_last_amp.
//
// A row times forward and backward pass of three layers of 3 x 3 convolution, batch normalization and ReLU,
// at batch 32 on the device and batch 1 on the CPU, with TF32 off on both sides.
//
// Answer: Expect it on the CPU, where oneDNN need not turn images, and not on a GPU with TF32 off: there
// FP32 kernels were written for NCHW, and some shapes even lose.

#include "microbench/format/conv_net.hpp"
#include "microbench/format/convolution_steps.hpp"
#include "microbench/tip.hpp"

namespace microbench::format_channels_last_fp32 {

constexpr Axis axes[] = {conv_shape_axis()};
constexpr std::int64_t last_on_cpu = 1;

void train(const ConvNet& net) {
  const ConvPrecision set(at::Float32Precision::IEEE);
  training_pass(net);
}

bool takes(const Point& point, const Device& device) {
  return device.is_cuda() || point["shape"] <= last_on_cpu;
}

Trial prepare(Setup& setup, const Point& point) {
  const auto net = fp32_net(setup, point["shape"]);
  const auto nchw = std::make_shared<const ConvNet>(net.in_format(at::MemoryFormat::Contiguous));
  const auto nhwc = std::make_shared<const ConvNet>(net.in_format(at::MemoryFormat::ChannelsLast));

  auto trial = training_trial(nchw, nhwc);
  trial.naive = [nchw] { train(*nchw); };
  trial.optimized = [nhwc] { train(*nhwc); };
  return trial;
}

extern constexpr Step step = checked({
    .id = "format/channels_last_fp32",
    .claim = "In FP32 without TF32, channels_last makes training of convolutional networks faster.",
    .claim_ids = "fmt-channels-last-fp32",
    .sides = {"NCHW", "channels_last"},
    .source = tuning_guide("Enable channels_last memory format for computer vision models"),
    .axes = axes,
    .takes = takes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
    .tolerance = {.relative = 2e-2,
                  .why = "the formats have kernels of their own, and a ReLU whose input is nearly zero may "
                         "open in one of them only"},
});

}  // namespace microbench::format_channels_last_fp32
