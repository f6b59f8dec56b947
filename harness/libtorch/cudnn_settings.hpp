// Settings of convolutions are one for the whole process: set here, put back here.
#pragma once

#include <ATen/Context.h>

namespace harness::inline libtorch {

/// What FP32 convolutions on CUDA devices may be computed in, while it lives: Float32Precision::IEEE or TF32
/// (LibTorch's default).
class ConvPrecision {
 public:
  explicit ConvPrecision(at::Float32Precision precision)
      : before_(at::globalContext().float32Precision(at::Float32Backend::CUDA, at::Float32Op::CONV)) {
    set(precision);
  }
  ConvPrecision(const ConvPrecision&) = delete;
  ConvPrecision& operator=(const ConvPrecision&) = delete;
  ~ConvPrecision() { set(before_); }

 private:
  static void set(at::Float32Precision precision) {
    at::globalContext().setFloat32Precision(at::Float32Backend::CUDA, at::Float32Op::CONV, precision);
  }
  at::Float32Precision before_;
};

/// Whether cuDNN tries out its algorithms at the first call with a shape, while it lives.
class CudnnBenchmark {
 public:
  explicit CudnnBenchmark(bool on) : before_(at::globalContext().benchmarkCuDNN()) {
    at::globalContext().setBenchmarkCuDNN(on);
  }
  CudnnBenchmark(const CudnnBenchmark&) = delete;
  CudnnBenchmark& operator=(const CudnnBenchmark&) = delete;
  ~CudnnBenchmark() { at::globalContext().setBenchmarkCuDNN(before_); }

 private:
  bool before_;
};

}  // namespace harness::inline libtorch
