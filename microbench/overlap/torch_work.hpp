// Work of LibTorch's kernels to copy beside: bound by arithmetic or by the device's memory; a network of two
// layers and its training step, written out; and the work kernel as a layer of a network.
#pragma once

#include "harness/cuda/check.hpp"

#include "microbench/overlap/overlap_work.hpp"

#include <ATen/ATen.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/csrc/autograd/custom_function.h>

#include <cstdint>
#include <vector>

namespace microbench {

/// out = a b, or out = a + b, so many times over. The values are small whole numbers: every sum is exact.
struct TorchWork {
  static constexpr std::int64_t product_side = 2048;
  static constexpr std::int64_t add_side = 8192;  // 256 MiB a matrix, more than any cache holds

  TorchWork(bool as_product, at::Device device) : product(as_product) {
    const auto n = product ? product_side : add_side;
    const auto options = at::TensorOptions().device(device).dtype(at::kFloat);
    a = at::arange(n * n, options).remainder_(7).view({n, n});
    b = at::arange(n * n, options).remainder_(5).view({n, n});
    out = at::empty({n, n}, options);
  }
  void run() {
    for (int i = 0; i < times; ++i) {
      if (product)
        at::mm_out(out, a, b);
      else
        at::add_out(out, a, b);
    }
  }
  /// The bytes, and behind them those of the result.
  std::vector<std::byte> appended_to(std::vector<std::byte> bytes) const {
    const auto host = out.cpu();
    const auto* first = static_cast<const std::byte*>(host.const_data_ptr());
    bytes.insert(bytes.end(), first, first + host.nbytes());
    return bytes;
  }

  bool product;
  int times = 1;
  at::Tensor a, b, out;
};

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

/// Both passes are one kernel each, on the stream that is current: the forward pass on a copy of x, the
/// backward pass on a copy of the gradient; one block of it takes `seconds` with these rounds. (No
/// derivative: what counts is where and how long it runs.)
struct WorkLayer : torch::autograd::Function<WorkLayer> {
  static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& x,
                            std::int64_t rounds, double seconds) {
    context->saved_data["rounds"] = rounds;
    context->saved_data["seconds"] = seconds;
    return work_on(x.clone(), rounds, seconds);
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 const torch::autograd::variable_list& gradients) {
    const auto rounds = context->saved_data["rounds"].toInt();
    const auto seconds = context->saved_data["seconds"].toDouble();
    return {work_on(gradients[0].clone(), rounds, seconds), at::Tensor(), at::Tensor()};
  }

 private:
  static at::Tensor work_on(at::Tensor x, std::int64_t rounds, double seconds) {
    harness::next_launch_takes(seconds);
    harness::check(queue_work(x.mutable_data_ptr<float>(), static_cast<std::size_t>(x.numel()),
                              static_cast<int>(rounds), c10::cuda::getCurrentCUDAStream()));
    return x;
  }
};

}  // namespace microbench
