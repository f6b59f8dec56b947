// One 3 x 3 convolution of a batch of images.
#pragma once

#include "harness/libtorch/answer.hpp"

#include "microbench/format/conv_net.hpp"
#include "microbench/values.hpp"

namespace microbench {

/// Enough images to fill a device.
inline constexpr std::int64_t one_conv_batch = 64;

struct OneConv {
  OneConv(const harness::Setup& setup, ConvShape shape, at::ScalarType type) {
    const auto [side, channels] = shape;
    const auto options = at::TensorOptions().device(harness::torch_device(setup.device)).dtype(at::kFloat);
    const auto generator = generator_of(setup);
    x = at::randn({one_conv_batch, channels, side, side}, generator, options).to(type);
    weight = at::randn({channels, channels, 3, 3}, generator, options).to(type);
    out = at::empty_like(x);
  }
  void run() { out = convolve(x, weight, {}); }
  void clear() const { out.fill_(-1); }
  harness::Answer answer() const { return harness::numbers_of(out); }

  at::Tensor x, weight, out;
};

}  // namespace microbench
