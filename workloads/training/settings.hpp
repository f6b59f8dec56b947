// LibTorch's process-wide settings that a form asks for, set here and put back here.
#pragma once

#include "harness/libtorch/cudnn_settings.hpp"
#include "harness/libtorch/precision.hpp"

#include "workloads/training/switches.hpp"

namespace workloads::training {

/// LibTorch's settings for the whole process, while a step runs.
struct Settings {
  explicit Settings(const Switches& switches)
      : products(switches.tf32 ? "high" : "highest"),
        convolutions(switches.tf32 ? at::Float32Precision::TF32 : at::Float32Precision::IEEE),
        benchmark(switches.cudnn_benchmark) {}
  harness::MatmulPrecision products;
  harness::ConvPrecision convolutions;
  harness::CudnnBenchmark benchmark;
};

}  // namespace workloads::training
