#include "stand_in/runtime/submit.hpp"

#include "stand_in/runtime/call.hpp"
#include "stand_in/runtime/thread_state.hpp"

namespace stand_in {
namespace {

bool is_launch(const Command& command) { return command.what == "kernel" || command.what == "operator"; }

bool is_legacy(const Stream& stream) { return machine().device(stream.device).legacy().get() == &stream; }

}  // namespace

Mark queue(const std::shared_ptr<Stream>& stream, Stream::Item item) {
  return machine().device(stream->device).enqueue(*stream, std::move(item));
}

cudaError_t give(const std::shared_ptr<Stream>& stream, const Order& order, std::function<void()> work) {
  auto& captures = machine().captures;
  // A launch needs a stream of the current device; a copy does not.
  if (is_launch(order.command) && stream->device != this_thread().device)
    return cudaErrorInvalidResourceHandle;
  if (order.waits)
    if (const auto status = captures.refuse(stream); status != cudaSuccess) return status;
  if (is_legacy(*stream))
    if (const auto status = captures.refuse_legacy(stream->device); status != cudaSuccess) return status;
  const auto& name = order.command.name.empty() ? order.command.what : order.command.name;
  if (const auto captured = captures.add(stream, order.command, work)) return *captured;
  machine().record.add(order.command, stream->id, stream->device);
  machine().calls.submit(order.command, *stream, order.waits);
  const auto mark = queue(stream, {name, std::move(work), {}, order.even_if_lost});
  if (order.waits) mark.stream->wait_for(mark.ticket);
  return machine().lost();
}

cudaError_t submit(cudaStream_t handle, const Command& command, std::function<void()> work) {
  return run({.name = "submit", .refusal = cudaErrorLaunchOutOfResources}, [&] {
    const auto stream = machine().stream(handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    return give(stream, {.command = command}, std::move(work));
  });
}

cudaError_t submit(cudaStream_t stream, const char* what, std::function<void()> work) {
  return submit(stream, Command{.what = what, .name = {}}, std::move(work));
}

cudaError_t submit_unseen(cudaStream_t handle, std::function<void()> work) {
  const auto stream = machine().stream(handle);
  if (!stream) return cudaErrorInvalidResourceHandle;
  if (machine().captures.info(stream).status == cudaStreamCaptureStatusNone)
    queue(stream, {"unseen work", std::move(work), {}, false});
  return cudaSuccess;
}

bool is_capturing(cudaStream_t handle) {
  const auto stream = machine().stream(handle);
  return stream && machine().captures.info(stream).status != cudaStreamCaptureStatusNone;
}

void add_kernel(std::string file, std::string name, Unpack unpack) {
  machine().kernels.add_code(std::move(file), std::move(name), std::move(unpack));
}

void add_variable(std::string file, std::string name, void* at) {
  machine().kernels.add_memory(std::move(file), std::move(name), at);
}

}  // namespace stand_in
