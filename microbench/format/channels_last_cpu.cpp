// On the CPU, too, convolutions are faster on images in channels_last format.
//
// Question: The source reports 26 to 76 % on a Xeon. How much does your CPU gain at batch 1, and at batch 8?
//
// LibTorch leaves convolutions on the CPU to oneDNN, whose kernels work on blocks of channels, so that one
// vector instruction takes the same pixel of many channels. Images in NCHW are turned around before each
// convolution and back after it, which costs two passes over memory; in channels_last the channels of a pixel
// lie side by side already, and the kernels read them as they are. Batch normalization and ReLU between the
// convolutions pass the format on.
//
// When it does not matter: where the convolution itself takes so long (many channels, few pixels) that
// turning its images around is nothing beside it; in a build of LibTorch without oneDNN.
//
// A row times inference by three layers of 3 x 3 convolution, batch normalization and ReLU. Images and
// weights were converted beforehand.
//
// Answer: Both should gain: oneDNN turns NCHW images around before and after each convolution, at any batch.
// The source's 26 to 76 % are a large Xeon's; where the convolution takes long for its bytes, less is left.

#include "microbench/format/conv_net.hpp"
#include "microbench/format/convolution_steps.hpp"
#include "microbench/tip.hpp"

#include <c10/core/GradMode.h>

namespace microbench::format_channels_last_cpu {

constexpr Axis axes[] = {
    {.name = "batch", .about = "images of 56 x 56 pixels and 64 channels", .values = {1, 8}, .quick = {1}}};

struct State {
  explicit State(const ConvNet& net)
      : nchw(net.in_format(at::MemoryFormat::Contiguous)),
        nhwc(net.in_format(at::MemoryFormat::ChannelsLast)) {}
  ConvNet nchw, nhwc;
  at::Tensor out;
};

Trial prepare(Setup& setup, const Point& point) {
  const auto s = std::make_shared<State>(ConvNet(setup, conv_shapes[0], point["batch"], at::kFloat));
  s->out = at::empty_like(s->nchw.images());

  return {
      .naive =
          [s] {
            const c10::NoGradGuard no_grad;
            s->out = s->nchw.forward(/*training=*/false);
          },
      .optimized =
          [s] {
            const c10::NoGradGuard no_grad;
            s->out = s->nhwc.forward(/*training=*/false);
          },
      .clear = [s] { s->out.fill_(-1); },
      .answer = [s](Form) { return numbers_of(s->out); },
  };
}

extern constexpr Step step = checked({
    .id = "format/channels_last_cpu",
    .claim = "On the CPU, convolutional networks run faster in channels_last format.",
    .claim_ids = "fmt-channels-last-cpu",
    .sides = {"NCHW", "channels_last"},
    .source = {.title = memory_format_title, .url = memory_format_url, .where = "Performance Gains"},
    .runs = Runs::host,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "26-76 % over a list of models (Xeon Platinum 8380)"},
    .tolerance = {.relative = 1e-4, .why = "the formats' kernels sum in another order"},
});

}  // namespace microbench::format_channels_last_cpu
