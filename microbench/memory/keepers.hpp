// Where layers keep what they have read until the backward pass: on the device, or in pinned memory.
#pragma once

#include "harness/cuda/check.hpp"
#include "harness/cuda/event.hpp"
#include "harness/cuda/stream.hpp"

#include <ATen/ATen.h>

#include <utility>

namespace microbench {

/// What the layers have read, on the device.
struct Kept {
  void put(std::size_t /*layer*/, const at::Tensor& x) { inputs.push_back(x); }
  at::Tensor take(std::size_t /*layer*/) {
    auto x = std::move(inputs.back());
    inputs.pop_back();
    return x;
  }
  std::vector<at::Tensor> inputs;
};

/// The same in pinned memory; on the device is what is on its way. Layers are put in order and taken in the
/// reverse order, on the stream `timed`.
class Offloaded {
 public:
  Offloaded(const at::Tensor& like, std::size_t layers, const harness::Stream& timed)
      : timed_(timed), like_(like), done_(layers) {
    for (std::size_t i = 0; i < layers; ++i)
      pinned_.push_back(at::empty_like(like, like.options().device(at::kCPU).pinned_memory(true)));
  }
  void put(std::size_t layer, const at::Tensor& x) {
    copy(pinned_[layer], x, cudaMemcpyDeviceToHost, layer);
    if (layer > 0) done_[layer - 1].hold(timed_);  // before the memory of the one before is given back
    near_ = x;
  }
  at::Tensor take(std::size_t layer) {
    done_[layer].hold(timed_);
    auto x = std::exchange(near_, {});
    if (layer > 0) {
      near_ = at::empty_like(like_);
      copy(near_, pinned_[layer - 1], cudaMemcpyHostToDevice, layer - 1);
    }
    return x;
  }

 private:
  void copy(const at::Tensor& to, const at::Tensor& from, cudaMemcpyKind kind, std::size_t layer) {
    ready_.record(timed_);  // behind what has written to the one, or still reads from the other's memory
    ready_.hold(side_);
    harness::check(
        cudaMemcpyAsync(to.mutable_data_ptr(), from.const_data_ptr(), from.nbytes(), kind, side_.get()));
    done_[layer].record(side_);
  }

  const harness::Stream& timed_;
  at::Tensor like_, near_;
  harness::Stream side_;
  harness::Event ready_;
  std::vector<at::Tensor> pinned_;
  std::vector<harness::Event> done_;  // the latest copy of each layer's
};

}  // namespace microbench
