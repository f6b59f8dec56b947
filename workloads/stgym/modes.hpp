// LibTorch's process-wide modes that a form sets: anomaly detection and the precision of float32 products.
#pragma once

#include "harness/torch/matmul_precision.hpp"

#include "workloads/stgym/switches.hpp"

#include <c10/util/Exception.h>

namespace workloads::stgym {

/// Sets the modes that `switches` ask for, and puts back what was there when it goes. One at a time.
///
/// Anomaly detection keeps its check of every gradient for NaN. Where Python notes a few lines of its own
/// stack for each node of the graph, C++ resolves a whole C++ backtrace, about 3 ms a node; that would make
/// the naive form several times slower than what was published, so no stack is noted here.
///
/// On this thread LibTorch's notice that sparse tensors are in beta stays off the terminal meanwhile.
class Modes {
 public:
  explicit Modes(const Switches& switches);
  ~Modes();
  Modes(const Modes&) = delete;
  Modes& operator=(const Modes&) = delete;

 private:
  c10::WarningUtils::WarningHandlerGuard warnings_;
  bool anomaly_;
  bool check_nan_;
  harness::MatmulPrecision precision_;
};

}  // namespace workloads::stgym
