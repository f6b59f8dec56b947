// A network of two layers and its training step, written out: something to train beside copies.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>

namespace microbench {

/// x -> relu(x w1) w2, with half the mean square of the outputs as the loss. Nothing is allocated in a step.
struct TwoLayers {
  TwoLayers(std::int64_t batch, std::int64_t features, std::int64_t width, at::Device device) {
    const auto options = at::TensorOptions().device(device).dtype(at::kFloat);
    w1 = at::empty({features, width}, options);
    w2 = at::empty({width, outputs}, options);
    hidden = at::empty({batch, width}, options);
    d_hidden = at::empty({batch, width}, options);
    out = at::empty({batch, outputs}, options);
    d_w1 = at::empty_like(w1);
    d_w2 = at::empty_like(w2);
    start_over();
  }
  void start_over() {
    w1.fill_(0.5 / static_cast<double>(w1.size(0)));
    w2.fill_(0.5 / static_cast<double>(w2.size(0)));
  }
  /// One step of gradient descent on the batch x.
  void train(const at::Tensor& x) {
    at::mm_out(hidden, x, w1);
    hidden.relu_();
    at::mm_out(out, hidden, w2);
    out.mul_(1.0 / static_cast<double>(x.size(0)));  // the gradient of the loss
    at::mm_out(d_w2, hidden.t(), out);
    at::mm_out(d_hidden, out, w2.t());
    d_hidden.mul_(hidden.sign_());
    at::mm_out(d_w1, x.t(), d_hidden);
    w1.sub_(d_w1, rate);
    w2.sub_(d_w2, rate);
  }

  static constexpr std::int64_t outputs = 64;
  static constexpr double rate = 1e-4;  // stable for widths up to 4096 and x up to 1
  at::Tensor w1, w2, hidden, out, d_hidden, d_w1, d_w2;
};

}  // namespace microbench
