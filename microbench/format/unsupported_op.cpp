// Keep operators that do not know channels_last out of a network in that format: each costs two changes.
//
// Question: One operator in a network falls back to NCHW. How much longer does the whole network take?
//
// Operators pass the format of their input on, so that a network stays in channels_last once images and
// weights are. An operator without support for it takes its input as NCHW: the data are turned around before
// it, and everything after it works on NCHW, until a convolution whose weights are in channels_last turns
// them back. Results stay right, so you do not notice; each change of format reads and writes the whole
// tensor.
//
// When it does not matter: beside a convolution that takes far longer than a pass over memory; where the
// operator stands at the end of the network.
//
// Which operators lack support changes from version to version. The sides here differ in what such an
// operator does to its input: with it, data are copied to NCHW between the second and the third layer. A row
// times inference by three layers of convolution, batch normalization and ReLU: batch 32 in FP16 on the
// device, batch 1 in FP32 on the CPU.
//
// Answer: By two passes over its input and output (read and write, there and back), and by the slower
// kernels of what follows until a convolution turns the data back. Beside long convolutions that is little,
// beside short ones a large part of the layer.

#include "harness/libtorch/precision.hpp"

#include "microbench/format/conv_net.hpp"
#include "microbench/format/convolution_steps.hpp"
#include "microbench/tip.hpp"

#include <c10/core/GradMode.h>

#include <utility>

namespace microbench::format_unsupported_op {

constexpr Axis axes[] = {conv_shape_axis({0, 2})};

struct State {
  explicit State(ConvNet network) : net(std::move(network)), out(at::empty_like(net.images())) {}
  /// Applies the layers from `first` on, to before `last`.
  at::Tensor layers(at::Tensor x, std::size_t first, std::size_t last) const {
    for (auto i = first; i < last; ++i) x = net.layer(i, x, /*training=*/false);
    return x;
  }
  ConvNet net;
  at::Tensor out;
};

/// Inference as the device does it best: FP16 on CUDA.
class Inference {
 public:
  explicit Inference(bool cuda) {
    if (cuda) half_.emplace(at::kCUDA, at::kHalf);
  }

 private:
  c10::NoGradGuard no_grad_;
  std::optional<Autocast> half_;
};

Trial prepare(Setup& setup, const Point& point) {
  const bool cuda = setup.device.is_cuda();
  if (cuda) require_device_memory(std::size_t{1} << 29);
  const ConvNet net(setup, conv_shapes[point["shape"]], conv_batch(setup.device), at::kFloat);
  const auto s = std::make_shared<State>(net.in_format(at::MemoryFormat::ChannelsLast));
  const auto count = s->net.layers();

  return {
      .naive =
          [s, cuda, count] {
            const Inference inference(cuda);
            const auto x = s->layers(s->net.images(), 0, 2);
            s->out = s->layers(x.contiguous(), 2, count);
          },
      .optimized =
          [s, cuda, count] {
            const Inference inference(cuda);
            const auto x = s->layers(s->net.images(), 0, 2);
            s->out = s->layers(x, 2, count);
          },
      .clear = [s] { s->out.fill_(-1); },
      .answer = [s](Form) { return numbers_of(s->out); },
  };
}

extern constexpr Step step = checked({
    .id = "format/unsupported_op",
    .claim = "A network in channels_last is faster without an operator that does not support the format.",
    .claim_ids = "fmt-unsupported-op",
    .sides = {"with it", "without it"},
    .source = {.title = memory_format_title, .url = memory_format_url, .where = "Converting existing models"},
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .on_cpu = Outcome::helps},
    .tolerance = {.relative = 5e-3, .why = "FP16 keeps 11 bits; the third layer may take another kernel"},
});

}  // namespace microbench::format_unsupported_op
