// LibTorch's process-wide modes that a form sets: anomaly detection and the precision of float32 products.
#pragma once

#include "harness/libtorch/precision.hpp"

#include "workloads/stgym/space/stgym_switches.hpp"

#include <ATen/core/Tensor.h>
#include <c10/util/Exception.h>

namespace workloads::stgym {

/// Sets the modes that `switches` ask for, and puts back what was there on destruction. One at a time.
///
/// On this thread LibTorch's notice that sparse tensors are in beta stays off the terminal meanwhile, and the
/// headline of the traceback that backward() below never has.
class Modes {
 public:
  explicit Modes(const Switches& switches);
  Modes(const Modes&) = delete;
  Modes& operator=(const Modes&) = delete;

 private:
  c10::WarningUtils::WarningHandlerGuard warnings_;
  harness::MatmulPrecision precision_;
};

/// The backward pass from `loss`; without no_anomaly each gradient is checked for NaN, which throws
/// c10::Error where one is found.
///
/// Anomaly detection is on for the backward pass only, where its checks are. In the forward pass it would
/// note where each node was made: a few lines of the interpreter's stack in Python, but in C++ a whole
/// resolved backtrace, about 3 ms a node, which would make the naive form several times slower than what was
/// published. An autograd engine of our own could leave that out as well, but LibTorch starts its device
/// threads for one engine per process: a second engine cannot run a backward pass on a device.
void backward(const at::Tensor& loss, const Switches& switches);

}  // namespace workloads::stgym
