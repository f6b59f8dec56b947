// Dynamic loss scaling, which LibTorch has in Python only.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace microbench {

/// Powers of two, so that scaling and unscaling change no bit of a gradient that stays in range.
struct ScalerRules {
  double start = 65536;
  double growth = 2;             // after `interval` steps in a row without overflow
  double backoff = 0.5;          // after a step with overflow
  std::int64_t interval = 2000;  // the defaults are PyTorch's
};

/// Keeps the scale on the device. A step: scale the loss, go back, unscale the gradients, take the
/// optimizer's step unless a gradient overflowed, update. The host waits for the device in overflowed() only.
class GradScaler {
 public:
  explicit GradScaler(at::Device device, ScalerRules rules = {});

  /// The loss to go back from.
  at::Tensor scale(const at::Tensor& loss) const;
  /// Divides the gradients (FP32, on the scaler's device) by the scale, and notes whether one is not finite.
  void unscale(at::TensorList gradients);
  /// Notes the same and leaves the gradients as they are, for an optimizer that unscales by itself.
  void inspect(at::TensorList gradients);
  /// Whether the last gradients held an infinity or NaN, so that the step must be left out. Reads a number
  /// back: the host waits until the device has got there.
  bool overflowed() const;
  /// Lowers the scale after an overflow, raises it after `interval` steps without one. On the device.
  void update();
  void start_again();

  /// One number each, on the device: for an optimizer that skips and unscales by itself.
  const at::Tensor& factor() const { return scale_; }
  const at::Tensor& found() const { return found_; }

 private:
  void find(at::TensorList gradients, const at::Tensor& inverse);

  ScalerRules rules_;
  at::Tensor scale_;
  at::Tensor one_;
  at::Tensor found_;   // 1 where a gradient was not finite, else 0
  at::Tensor streak_;  // steps without overflow
};

}  // namespace microbench
