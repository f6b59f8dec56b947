#pragma once

#include "stand_in/runtime.hpp"
#include "stand_in/runtime/machine.hpp"

#include <new>

namespace stand_in {

/// A function of the runtime, as far as all of them are alike.
struct Call {
  const char* name;
  cudaError_t refusal = cudaErrorInvalidValue;  ///< what the profile `refuses` returns
  bool unsafe = false;       ///< may not be called while a capture is under way that the thread must mind
  bool needs_device = true;  ///< fails once the device has failed
  bool unpriced =
      false;  ///< written to STAND_IN_CALLS: it costs the host, and `simulate` has no price for it
};

/// Whether the call may begin.
cudaError_t enter(const Call& call);
/// The result as the program sees it: an error that sticks comes before it. It is the thread's last error
/// then.
cudaError_t leave(const Call& call, cudaError_t result);

/// Runs a function's body between the two.
template <class Body>
cudaError_t run(const Call& call, Body&& body) {
  if (const auto status = enter(call); status != cudaSuccess) return leave(call, status);
  try {
    return leave(call, std::forward<Body>(body)());
  } catch (const HostPointer& error) {
    fail(cudaErrorIllegalAddress, std::string(call.name) + ": " + error.what());
    return leave(call, cudaErrorIllegalAddress);
  } catch (const std::bad_alloc&) {
    return leave(call, cudaErrorMemoryAllocation);
  }
}

/// Says why a call is refused, on stderr, and returns the error.
cudaError_t refuse(cudaError_t error, const std::string& why);

class Stream;

/// What `<<<...>>>` leaves for the function that is launched.
struct LaunchConfiguration {
  dim3 grid, block;
  std::size_t shared = 0;
  cudaStream_t stream = nullptr;
};

/// What CUDA keeps for each host thread, and what a stream's thread is at.
struct ThreadState {
  ~ThreadState();  // its own streams end when their work has

  int device = 0;
  cudaError_t last_error = cudaSuccess;
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  std::vector<LaunchConfiguration> configurations;
  std::map<int, std::shared_ptr<Stream>> own_streams;  // cudaStreamPerThread, by device

  const std::string* running = nullptr;  // the command's name, on a stream's thread
  bool in_host_function = false;
  bool launching = false;  // a kernel's arguments are being translated

  Command next_launch;  // what cudaNextLaunchDoes and cudaNextLaunchTakes said, until the launch
};

ThreadState& this_thread();

}  // namespace stand_in
