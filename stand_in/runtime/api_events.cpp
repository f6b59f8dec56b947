#include "stand_in/runtime/api.hpp"
#include "stand_in/runtime/call.hpp"
#include "stand_in/runtime/event.hpp"
#include "stand_in/runtime/submit.hpp"

using namespace stand_in;

namespace {

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
