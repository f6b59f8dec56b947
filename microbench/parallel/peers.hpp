// A device and the one behind it, each with access to the other's memory.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/cuda/check.hpp"

#include <c10/cuda/CUDAGuard.h>

namespace microbench::parallel {

class Peers {
 public:
  /// Throws Skip where there is no second device, or where the two have no access to each other.
  explicit Peers(int first) : first_(first) {
    int count = 0;
    harness::check(cudaGetDeviceCount(&count));
    if (first + 1 >= count) throw harness::Skip("needs a second CUDA device");
    enable(first_, other());
    enable(other(), first_);
  }
  int first() const { return first_; }
  int other() const { return first_ + 1; }

 private:
  static void enable(int from, int to) {
    int possible = 0;
    harness::check(cudaDeviceCanAccessPeer(&possible, from, to));
    if (possible == 0) throw harness::Skip("the two devices have no access to each other's memory");
    const c10::cuda::CUDAGuard guard(static_cast<c10::DeviceIndex>(from));
    const auto status = cudaDeviceEnablePeerAccess(to, 0);
    if (status == cudaErrorPeerAccessAlreadyEnabled)
      cudaGetLastError();
    else
      harness::check(status);
  }

  int first_;
};

}  // namespace microbench::parallel
