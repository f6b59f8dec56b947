// Keep images and weights in channels_last format where a network trains in mixed precision.
//
// Question: The source reports 22 % for ResNet-50. Which of four shapes, from 56x64 to 7x512, gains most
// here?
//
// A batch of images has four dimensions: image, channel, row, column. By default ("NCHW") the values of one
// channel lie side by side; in channels_last ("NHWC") the channels of one pixel do. A convolution is a matrix
// product over channels, and tensor cores read the factors of a product in rows of channels. From NCHW,
// either cuDNN turns the data around before and after each convolution, or a slower kernel reads them as they
// are. Shapes and indices stay as they were: only the strides differ, and operators pass the format on.
//
// When it does not matter, or hurts: where a network has operators that do not know the format (see
// format/unsupported_op); without tensor cores (see format/channels_last_fp32). Weights must be converted,
// too, or each convolution converts one side at every call.
//
// A row times forward and backward pass of three layers of 3 x 3 convolution, batch normalization and ReLU at
// batch 32, under autocast to FP16. Images and weights were converted beforehand: a loader that delivers
// images in the other format pays for that once a batch.
//
// Answer: Two effects decide it. Turning data around is a pass over memory, which weighs most where images
// are large and channels few (56x64); slower NCHW kernels weigh most where channels are many (7x512). Which
// is the larger depends on the device: compare the four rows.

#include "harness/libtorch/precision.hpp"

#include "microbench/format/conv_net.hpp"
#include "microbench/format/convolution_steps.hpp"
#include "microbench/tip.hpp"
#include "microbench/values.hpp"

namespace microbench::format_channels_last_amp {

constexpr Axis axes[] = {conv_shape_axis()};

void train(const ConvNet& net) {
  net.forget_gradients();
  at::Tensor out;
  {
    const Autocast on(at::kCUDA, at::kHalf);
    out = net.forward(/*training=*/true);
  }
  net.backward(out);
}

Trial prepare(Setup& setup, const Point& point) {
  require_capability(setup.device, 7, "FP16 on tensor cores");
  require_device_memory(std::size_t{1} << 30);
  const ConvNet net(setup, conv_shapes[point["shape"]], conv_batch(setup.device), at::kHalf);
  const auto nchw = std::make_shared<const ConvNet>(net.in_format(at::MemoryFormat::Contiguous));
  const auto nhwc = std::make_shared<const ConvNet>(net.in_format(at::MemoryFormat::ChannelsLast));

  auto trial = training_trial(nchw, nhwc);
  trial.naive = [nchw] { train(*nchw); };
  trial.optimized = [nhwc] { train(*nhwc); };
  return trial;
}

extern constexpr Step step = checked({
    .id = "format/channels_last_amp",
    .claim = "Convolutional networks in mixed precision train faster in channels_last format.",
    .claim_ids = "fmt-channels-last-amp",
    .sides = {"NCHW", "channels_last"},
    .source = {.title = memory_format_title, .url = memory_format_url, .where = "Performance Gains"},
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "22 % (ResNet-50, batch 200); 8-35 % over a list of models on Volta"},
    .tolerance = {.relative = 5e-2,
                  .why = "the formats have kernels of their own, FP16 rounds their sums to 11 bits, and a "
                         "ReLU whose input is nearly zero may open in one of them only"},
});

}  // namespace microbench::format_channels_last_amp
