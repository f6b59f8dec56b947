#include "stand_in/runtime/api.hpp"
#include "stand_in/runtime/call.hpp"
#include "stand_in/runtime/submit.hpp"
#include "stand_in/runtime/thread_state.hpp"

using namespace stand_in;

namespace {

/// The body gets the stream; no stream of that handle is an error.
template <class Body>
cudaError_t on_stream(const Call& call, cudaStream_t handle, const Body& body) {
  return run(call, [&] {
    const auto stream = machine().stream(handle);
    return stream ? body(stream) : cudaErrorInvalidResourceHandle;
  });
}

/// Work of a stream that encompasses others in capture cannot be waited for, nor its own in a capture.
cudaError_t refuse_captured(const std::shared_ptr<Stream>& stream) {
  auto& captures = machine().captures;
  if (const auto status = captures.refuse(stream); status != cudaSuccess) return status;
  const bool legacy = machine().device(stream->device).legacy() == stream;
  return legacy ? captures.refuse_legacy(stream->device) : cudaSuccess;
}

constexpr int greatest_priority = -5;
constexpr std::size_t access_window_bytes = std::size_t{128} << 20;

}  // namespace

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* out, unsigned flags, int priority) {
  return run({.name = "cudaStreamCreateWithPriority", .refusal = cudaErrorMemoryAllocation}, [&] {
    if (out == nullptr || flags > cudaStreamNonBlocking) return cudaErrorInvalidValue;
    *out = machine().add_stream(flags, std::clamp(priority, greatest_priority, 0));
    return cudaSuccess;
  });
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* out, unsigned flags) {
  return cudaStreamCreateWithPriority(out, flags, 0);
}
cudaError_t cudaStreamCreate(cudaStream_t* out) {
  return cudaStreamCreateWithPriority(out, cudaStreamDefault, 0);
}

cudaError_t cudaStreamDestroy(cudaStream_t handle) {
  return run({.name = "cudaStreamDestroy"},
             [&] { return machine().remove_stream(handle) ? cudaSuccess : cudaErrorInvalidResourceHandle; });
}

cudaError_t cudaStreamGetFlags(cudaStream_t handle, unsigned* out) {
  return on_stream({.name = "cudaStreamGetFlags"}, handle, [&](const auto& stream) {
    *out = stream->flags;
    return cudaSuccess;
  });
}
cudaError_t cudaStreamGetPriority(cudaStream_t handle, int* out) {
  return on_stream({.name = "cudaStreamGetPriority"}, handle, [&](const auto& stream) {
    *out = stream->priority;
    return cudaSuccess;
  });
}
cudaError_t cudaStreamGetId(cudaStream_t handle, unsigned long long* out) {
  return on_stream({.name = "cudaStreamGetId"}, handle, [&](const auto& stream) {
    *out = stream->id;
    return cudaSuccess;
  });
}
cudaError_t cudaStreamSetAttribute(cudaStream_t handle, cudaStreamAttrID which,
                                   const cudaStreamAttrValue* value) {
  return on_stream({.name = "cudaStreamSetAttribute"}, handle, [&](const auto&) {
    if (value == nullptr || which != cudaStreamAttributeAccessPolicyWindow) return cudaErrorInvalidValue;
    const auto& window = value->accessPolicyWindow;
    const bool fits = window.num_bytes <= access_window_bytes && window.hitRatio >= 0 && window.hitRatio <= 1;
    const bool may_miss = window.missProp != cudaAccessPropertyPersisting;
    return fits && may_miss ? cudaSuccess : cudaErrorInvalidValue;
  });
}
cudaError_t cudaCtxResetPersistingL2Cache() {
  return run({.name = "cudaCtxResetPersistingL2Cache"}, [] { return cudaSuccess; });
}
cudaError_t cudaStreamGetDevice(cudaStream_t handle, int* out) {
  return on_stream({.name = "cudaStreamGetDevice"}, handle, [&](const auto& stream) {
    *out = stream->device;
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least != nullptr) *least = 0;
  if (greatest != nullptr) *greatest = greatest_priority;
  return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  const Call call{.name = "cudaStreamSynchronize", .refusal = cudaErrorLaunchFailure, .unsafe = true};
  return on_stream(call, handle, [&](const auto& stream) {
    if (const auto status = refuse_captured(stream); status != cudaSuccess) return status;
    machine().calls.synchronize_stream(*stream);
    wait_for(machine().device(stream->device).work_of(*stream));
    return cudaSuccess;
  });
}
cudaError_t cudaStreamQuery(cudaStream_t handle) {
  return on_stream({.name = "cudaStreamQuery", .unsafe = true}, handle, [&](const auto& stream) {
    if (const auto status = refuse_captured(stream); status != cudaSuccess) return status;
    return have_ended(machine().device(stream->device).work_of(*stream)) ? cudaSuccess : cudaErrorNotReady;
  });
}
cudaError_t cudaDeviceSynchronize() {
  const Call call{.name = "cudaDeviceSynchronize", .refusal = cudaErrorLaunchFailure, .unsafe = true};
  return run(call, [] {
    if (const auto status = machine().captures.refuse_on(this_thread().device); status != cudaSuccess)
      return status;
    machine().calls.synchronize_device();
    drain();
    return cudaSuccess;
  });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t handle, cudaHostFn_t function, void* data) {
  return on_stream({.name = "cudaLaunchHostFunc"}, handle, [&](const auto& stream) {
    return give(stream, {.command = {.what = "host", .name = "host function"}}, [=] {
      this_thread().in_host_function = true;
      function(data);
      this_thread().in_host_function = false;
    });
  });
}
cudaError_t cudaStreamAddCallback(cudaStream_t handle, cudaStreamCallback_t function, void* data, unsigned) {
  return on_stream({.name = "cudaStreamAddCallback"}, handle, [&](const auto& stream) {
    if (const auto status = machine().captures.refuse(stream); status != cudaSuccess) return status;
    const Order order{.command = {.what = "host", .name = "callback"}, .even_if_lost = true};
    return give(stream, order, [=] {
      this_thread().in_host_function = true;
      function(handle, machine().lost(), data);
      this_thread().in_host_function = false;
    });
  });
}
