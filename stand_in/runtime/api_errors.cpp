#include "stand_in/runtime/api.hpp"
#include "stand_in/runtime/machine.hpp"
#include "stand_in/runtime/thread_state.hpp"

#include "error_names.inc"  // made at build time from CUDA's header
#include <algorithm>
#include <iterator>
#include <utility>

using namespace stand_in;

cudaError_t cudaPeekAtLastError() {
  const auto lost = machine().lost();
  return lost == cudaSuccess ? this_thread().last_error : lost;
}

cudaError_t cudaGetLastError() {
  const auto last = cudaPeekAtLastError();
  this_thread().last_error = cudaSuccess;
  return last;
}

const char* cudaGetErrorName(cudaError_t error) {
  const auto* const found = std::ranges::find(error_names, error, &ErrorName::value);
  return found == std::end(error_names) ? "unrecognized error code" : found->name;
}

const char* cudaGetErrorString(cudaError_t error) {
  static constexpr std::pair<cudaError_t, const char*> words[] = {
      {cudaSuccess, "no error"},
      {cudaErrorInvalidValue, "invalid argument"},
      {cudaErrorMemoryAllocation, "out of memory"},
      {cudaErrorInvalidConfiguration, "invalid configuration argument"},
      {cudaErrorInvalidDevice, "invalid device ordinal"},
      {cudaErrorNoDevice, "no CUDA-capable device is detected"},
      {cudaErrorInvalidDeviceFunction, "invalid device function"},
      {cudaErrorInvalidResourceHandle, "invalid resource handle"},
      {cudaErrorNoKernelImageForDevice, "no kernel image is available for execution on the device"},
      {cudaErrorLaunchOutOfResources, "too many resources requested for launch"},
      {cudaErrorLaunchFailure, "unspecified launch failure"},
      {cudaErrorIllegalAddress, "an illegal memory access was encountered"},
      {cudaErrorAssert, "device-side assert triggered"},
      {cudaErrorNotReady, "device not ready"},
      {cudaErrorNotSupported, "operation not supported"},
      {cudaErrorStreamCaptureUnsupported, "operation not permitted when stream is capturing"},
      {cudaErrorStreamCaptureInvalidated, "operation failed due to a previous error during capture"},
  };
  const auto* const found = std::ranges::find(words, error, &std::pair<cudaError_t, const char*>::first);
  return found == std::end(words) ? cudaGetErrorName(error) : found->second;
}
