#include "prices/exchange.hpp"

#include "harness/core/wall_clock.hpp"
#include "harness/cuda/check.hpp"
#include "harness/libtorch/answer.hpp"
#include "harness/libtorch/versions.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <stdexcept>
#include <vector>

namespace prices {
namespace {

using harness::ranks::Group;

/// A collective with its tensors on one rank.
class Part {
 public:
  Part(const Group& group, const Exchange& exchange, const harness::Device& device)
      : group_(group), what_(exchange.what), ranks_(group->getSize()) {
    const auto options = at::TensorOptions().device(harness::torch_device(device));
    const auto each = exchange.bytes / static_cast<std::int64_t>(sizeof(float)) / ranks_;
    whole_ = at::zeros({ranks_, each}, options);
    flat_ = whole_.view(-1);
    own_ = at::zeros({each}, options);
  }

  void call() {
    std::vector<at::Tensor> one{whole_};
    switch (what_) {
      case Collective::all_reduce:
        group_->allreduce(one)->wait();
        break;
      case Collective::broadcast:
        group_->broadcast(one)->wait();
        break;
      case Collective::all_gather:
        harness::all_gather(*group_, flat_, own_)->wait();
        break;
      case Collective::reduce_scatter:
        harness::reduce_scatter(*group_, own_, flat_)->wait();
        break;
      case Collective::barrier:
        group_->barrier()->wait();
        break;
    }
  }

  /// Rank r brings along r + 1. Leaves zeros behind.
  void call_and_check() {
    whole_.fill_(group_->getRank() + 1);
    own_.fill_(group_->getRank() + 1);
    call();
    if (!is_right()) throw std::runtime_error(fmt::format("the {} has a wrong result", to_string(what_)));
    whole_.zero_();
    own_.zero_();
  }

 private:
  bool is_right() const {
    const auto sum = ranks_ * (ranks_ + 1) / 2;
    switch (what_) {
      case Collective::all_reduce:
        return whole_.eq(sum).all().item<bool>();
      case Collective::broadcast:
        return whole_.eq(1).all().item<bool>();
      case Collective::all_gather:
        return whole_.eq(at::arange(1, ranks_ + 1, whole_.options()).unsqueeze(1)).all().item<bool>();
      case Collective::reduce_scatter:
        return own_.eq(sum).all().item<bool>();
      case Collective::barrier:
        break;
    }
    return true;
  }

  Group group_;
  Collective what_;
  std::int64_t ranks_;
  at::Tensor
      whole_;  // a row for each rank. Zeros while calls are timed: another sum would grow with each call
  at::Tensor flat_;  // its numbers: Gloo divides the first axis
  at::Tensor own_;   // what is a rank's of it
};

}  // namespace

double take_part(const Group& group, const Exchange& exchange, const harness::Device& device) {
  Part part(group, exchange, device);
  if (exchange.checked != 0) part.call_and_check();
  const auto drain = [&] {
    if (device.is_cuda()) harness::check(cudaDeviceSynchronize());
  };
  part.call();
  group->barrier()->wait();
  drain();
  return harness::host_seconds([&] {
    for (std::int64_t i = 0; i < exchange.calls; ++i) part.call();
    drain();
  });
}

}  // namespace prices
