#include "stand_in/runtime/call.hpp"

#include <cstdio>

namespace stand_in {

cudaError_t enter(const Call& call) {
  auto& all = machine();
  if (all.is_forked()) return cudaErrorInitializationError;
  if (this_thread().in_host_function) return cudaErrorNotPermitted;
  if (call.needs_device && all.lost() != cudaSuccess) return all.lost();
  if (all.settings.refuse != 0 && all.new_call() == all.settings.refuse) {
    std::fprintf(stderr, "stand-in: call %llu, %s, is refused with %s\n",
                 static_cast<unsigned long long>(all.settings.refuse), call.name,
                 cudaGetErrorName(call.refusal));
    if (call.refusal == cudaErrorLaunchFailure) all.lose(call.refusal);
    return call.refusal;
  }
  if (call.unpriced) all.calls.unpriced(call.name);
  return call.unsafe ? all.captures.refuse_unsafe() : cudaSuccess;
}

cudaError_t leave(const Call& call, cudaError_t result) {
  const auto lost = machine().lost();
  if (call.needs_device && lost != cudaSuccess) result = lost;
  if (result != cudaSuccess) {
    this_thread().last_error = result;
    machine().record.trace(std::string(call.name) + " returns " + cudaGetErrorName(result));
  }
  return result;
}

cudaError_t refuse(cudaError_t error, const std::string& why) {
  std::fprintf(stderr, "stand-in: %s\n", why.c_str());
  return error;
}

}  // namespace stand_in
