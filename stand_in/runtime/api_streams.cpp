#include "stand_in/runtime/api.hpp"
#include "stand_in/runtime/call.hpp"
#include "stand_in/runtime/device_stream.hpp"
#include "stand_in/runtime/submit.hpp"

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

template <class Body>
cudaError_t on_event(const Call& call, cudaEvent_t handle, const Body& body) {
  return run(call, [&] {
    const auto event = machine().event(handle);
    return event ? body(event) : cudaErrorInvalidResourceHandle;
  });
}

/// An event of a capture stands for no work that could be asked for; asking spoils the capture.
cudaError_t refuse_captured(Event& event) {
  std::uint64_t capture = 0;
  {
    const std::lock_guard lock(event.mutex);
    capture = event.capture;
  }
  if (capture == 0) return cudaSuccess;
  machine().captures.refuse_number(capture);
  return cudaErrorCapturedEvent;
}

cudaError_t record_in_stream(const std::shared_ptr<Stream>& stream, Event& event) {
  if (stream == machine().device(stream->device).legacy())
    if (const auto status = machine().captures.refuse_legacy(stream->device); status != cudaSuccess)
      return status;
  const Command command{.what = "event", .name = "event record"};
  machine().record.add(command, stream->id, stream->device);
  machine().calls.event("record_event", *stream, &event);
  auto recording = std::make_shared<Recording>();
  recording->set_mark(queue(stream, {command.name, [recording] { recording->reach(); }, {}, true}));
  const std::lock_guard lock(event.mutex);
  event.recording = std::move(recording);
  return cudaSuccess;
}

/// A node that records the event anew with each launch of the graph.
cudaError_t record_in_graph(const std::shared_ptr<Stream>& stream, const std::shared_ptr<Event>& event) {
  return give(stream, {.command = {.what = "event", .name = "external event record"}}, [event] {
    auto recording = std::make_shared<Recording>();
    recording->reach();
    const std::lock_guard lock(event->mutex);
    event->recording = std::move(recording);
  });
}

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

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* out, unsigned flags) {
  return run({.name = "cudaEventCreateWithFlags", .refusal = cudaErrorMemoryAllocation}, [&] {
    constexpr unsigned known = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
    if (out == nullptr || (flags & ~known) != 0) return cudaErrorInvalidValue;
    *out = machine().add_event(flags);
    return cudaSuccess;
  });
}
cudaError_t cudaEventCreate(cudaEvent_t* out) { return cudaEventCreateWithFlags(out, cudaEventDefault); }

cudaError_t cudaEventDestroy(cudaEvent_t handle) {
  return run({.name = "cudaEventDestroy"},
             [&] { return machine().remove_event(handle) ? cudaSuccess : cudaErrorInvalidResourceHandle; });
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t handle, cudaStream_t on, unsigned flags) {
  return on_event({.name = "cudaEventRecord"}, handle, [&](const auto& event) {
    const auto stream = machine().stream(on);
    if (!stream || stream->device != event->device) return cudaErrorInvalidResourceHandle;
    const bool captures = machine().captures.info(stream).status != cudaStreamCaptureStatusNone;
    if (captures && (flags & cudaEventRecordExternal) != 0) return record_in_graph(stream, event);
    if (const auto captured = machine().captures.record(stream, *event)) return *captured;
    return record_in_stream(stream, *event);
  });
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault);
}

cudaError_t cudaEventQuery(cudaEvent_t handle) {
  return on_event({.name = "cudaEventQuery", .unsafe = true}, handle, [](const auto& event) {
    if (const auto status = refuse_captured(*event); status != cudaSuccess) return status;
    const auto latest = event->latest();
    return !latest || have_ended(latest->marks()) ? cudaSuccess : cudaErrorNotReady;
  });
}
cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
  const Call call{.name = "cudaEventSynchronize", .refusal = cudaErrorLaunchFailure, .unsafe = true};
  return on_event(call, handle, [](const auto& event) {
    if (const auto status = refuse_captured(*event); status != cudaSuccess) return status;
    machine().calls.synchronize_event(event.get());
    if (const auto latest = event->latest()) wait_for(latest->marks());
    return cudaSuccess;
  });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t stop) {
  return run({.name = "cudaEventElapsedTime"}, [&] {
    const auto first = machine().event(start);
    const auto last = machine().event(stop);
    if (!first || !last || first->device != last->device) return cudaErrorInvalidResourceHandle;
    if (((first->flags | last->flags) & cudaEventDisableTiming) != 0) return cudaErrorInvalidResourceHandle;
    const auto from = first->latest();
    const auto to = last->latest();
    if (!from || !to) return cudaErrorInvalidResourceHandle;
    if (!have_ended(from->marks()) || !have_ended(to->marks())) return cudaErrorNotReady;
    *milliseconds = std::chrono::duration<float, std::milli>(to->at() - from->at()).count();
    return cudaSuccess;
  });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t what, unsigned flags) {
  return on_event({.name = "cudaStreamWaitEvent"}, what, [&](const auto& event) {
    const auto stream = machine().stream(handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    const bool external = (flags & cudaEventWaitExternal) != 0;
    if (const auto captured = machine().captures.wait(stream, *event, external)) return *captured;
    const auto latest = event->latest();
    if (!latest) return cudaSuccess;
    machine().calls.event("wait_for_event", *stream, event.get());
    return give(stream, {.command = {.what = "wait", .name = "event wait"}},
                [marks = latest->marks()] { wait_for(marks); });
  });
}
