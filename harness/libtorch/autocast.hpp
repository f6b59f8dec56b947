// LibTorch's autocast is a setting of the calling thread: set here, put back here.
#pragma once

#include <c10/core/DeviceType.h>
#include <c10/core/ScalarType.h>

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

}  // namespace harness::inline libtorch
