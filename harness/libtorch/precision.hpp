// LibTorch's settings of precision, set here and put back here: autocast is the calling thread's, that of
// FP32 matrix products and those of convolutions are the whole process's.
#pragma once

#include <ATen/Context.h>
#include <c10/core/DeviceType.h>
#include <c10/core/ScalarType.h>

#include <string>

namespace harness::inline libtorch {

/// While it lives, products and convolutions on `device` read and write `type`, and operators that need the
/// range of FP32 keep it. Casts of parameters are kept for the region and dropped when the outermost one
/// ends. The backward pass needs no region: each operator goes back in the type that it came in.
class Autocast {
 public:
  Autocast(c10::DeviceType device, c10::ScalarType type);
  Autocast(const Autocast&) = delete;
  Autocast& operator=(const Autocast&) = delete;
  ~Autocast();

 private:
  c10::DeviceType device_;
  bool enabled_before_;
  c10::ScalarType type_before_;
};

/// Sets the precision ("highest", "high" or "medium") while it lives; then the one before is back.
/// "highest" is FP32; "high" may use TF32 on the device; "medium" may use BF16, on some CPUs as well.
class MatmulPrecision {
 public:
  explicit MatmulPrecision(const std::string& name) : before_(at::globalContext().float32MatmulPrecision()) {
    at::globalContext().setFloat32MatmulPrecision(name);
  }
  MatmulPrecision(const MatmulPrecision&) = delete;
  MatmulPrecision& operator=(const MatmulPrecision&) = delete;
  ~MatmulPrecision() { at::globalContext().setFloat32MatmulPrecision(name_of(before_)); }

 private:
  static std::string name_of(at::Float32MatmulPrecision precision) {
    switch (precision) {
      case at::Float32MatmulPrecision::HIGH:
        return "high";
      case at::Float32MatmulPrecision::MEDIUM:
        return "medium";
      case at::Float32MatmulPrecision::HIGHEST:
        break;
    }
    return "highest";
  }
  at::Float32MatmulPrecision before_;
};

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
