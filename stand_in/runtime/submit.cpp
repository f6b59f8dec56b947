#include "stand_in/runtime/submit.hpp"

#include "stand_in/runtime/call.hpp"

#include <cstring>

namespace stand_in {
namespace {

bool is_launch(const Command& command) { return command.what == "kernel" || command.what == "operator"; }

bool is_legacy(const Stream& stream) { return machine().device(stream.device).legacy().get() == &stream; }

/// Pageable memory up to this size is read before the call returns, without waiting for the stream.
constexpr std::size_t staged_at_once = 64 << 10;

struct Ends {
  Place to, from;
  bool on_host(Place place) const { return place == Place::host || place == Place::pageable; }
  bool pageable() const { return to == Place::pageable || from == Place::pageable; }
  std::string name() const {
    const std::string words = std::string(on_host(from) ? "h" : "d") + "2" + (on_host(to) ? "h" : "d");
    return pageable() ? words + " pageable" : words;
  }
};

void move_rows(const Copy& copy) {
  if (copy.to_pitch == copy.width && copy.from_pitch == copy.width) {
    std::memmove(copy.to, copy.from, copy.bytes());
    return;
  }
  for (std::size_t row = 0; row < copy.height; ++row)
    std::memmove(static_cast<char*>(copy.to) + row * copy.to_pitch,
                 static_cast<const char*>(copy.from) + row * copy.from_pitch, copy.width);
}

/// The bytes as they are now, for a stream that takes them later.
std::function<void()> staged(Copy copy) {
  auto bytes = std::make_shared<std::vector<char>>(copy.bytes());
  auto in = copy;
  in.to = bytes->data();
  in.to_pitch = copy.width;
  move_rows(in);
  copy.from_pitch = copy.width;
  return [copy, bytes]() mutable {
    copy.from = bytes->data();
    move_rows(copy);
  };
}

cudaError_t check_place(Place place, const void* p, std::size_t bytes) {
  if (place != Place::wrong) return cudaSuccess;
  const auto where = machine().memory.describe(reinterpret_cast<std::uintptr_t>(p));
  return refuse(cudaErrorInvalidValue, "a copy of " + std::to_string(bytes) + " bytes begins at " + where);
}

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

void* work_address(const void* p) {
  auto* bytes = static_cast<char*>(const_cast<void*>(p));
  const auto* range = machine().memory.range_of(p);
  return range == nullptr ? bytes : bytes + range->size;
}

cudaError_t copy(const Copy& wanted, const std::shared_ptr<Stream>& stream, Returns returns) {
  if (wanted.bytes() == 0) return cudaSuccess;
  if (wanted.to == nullptr || wanted.from == nullptr) return cudaErrorInvalidValue;
  const auto& memory = machine().memory;
  const Ends ends{memory.place_of(wanted.to, wanted.to_span()),
                  memory.place_of(wanted.from, wanted.from_span())};
  if (const auto status = check_place(ends.to, wanted.to, wanted.to_span()); status != cudaSuccess)
    return status;
  if (const auto status = check_place(ends.from, wanted.from, wanted.from_span()); status != cudaSuccess)
    return status;
  auto real = wanted;
  real.to = work_address(wanted.to);
  real.from = work_address(wanted.from);

  Order order{.command = {.what = "memcpy", .name = ends.name(), .bytes = wanted.bytes()}};
  if (ends.pageable())  // it cannot be read or written at leisure
    if (const auto status = machine().captures.refuse(stream); status != cudaSuccess) return status;
  if (ends.from == Place::pageable && !ends.on_host(ends.to)) {
    const bool at_once = returns == Returns::when_queued && wanted.bytes() <= staged_at_once;
    if (!at_once) wait_for(machine().device(stream->device).work_of(*stream));
    return give(stream, order, staged(real));
  }
  const bool to_host = ends.on_host(ends.to);
  const bool between_devices = !to_host && !ends.on_host(ends.from);
  order.waits = ends.to == Place::pageable || (to_host && ends.on_host(ends.from)) ||
                (returns == Returns::when_done && !between_devices);
  return give(stream, order, [real] { move_rows(real); });
}

}  // namespace stand_in
