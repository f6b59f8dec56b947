// LibTorch's precision of FP32 matrix products is one setting for the whole process: set here, put back here.
#pragma once

#include <ATen/Context.h>

#include <string>

namespace harness::inline libtorch {

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

}  // namespace harness::inline libtorch
