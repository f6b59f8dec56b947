#pragma once

#include "stand_in/runtime.hpp"

#include <map>
#include <memory>
#include <vector>

namespace stand_in {

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
