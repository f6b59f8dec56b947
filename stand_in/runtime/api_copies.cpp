#include "stand_in/runtime/api.hpp"
#include "stand_in/runtime/call.hpp"
#include "stand_in/runtime/submit.hpp"

#include <cstring>

using namespace stand_in;

namespace {

Copy flat(void* to, const void* from, std::size_t size) {
  return {.to = to, .from = from, .width = size, .to_pitch = size, .from_pitch = size};
}

/// "dst and src pointers that do not match the direction of the copy result in an undefined behavior":
/// refused. Page-locked and managed memory match both directions.
cudaError_t check_direction(const char* name, const Copy& wanted, cudaMemcpyKind kind) {
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
  if (kind == cudaMemcpyDefault || wanted.bytes() == 0) return cudaSuccess;
  const bool to_host = kind == cudaMemcpyHostToHost || kind == cudaMemcpyDeviceToHost;
  const bool from_host = kind == cudaMemcpyHostToHost || kind == cudaMemcpyHostToDevice;
  const auto misfit = [](bool host) { return host ? Place::device : Place::pageable; };
  const auto& memory = machine().memory;
  const bool fits = memory.place_of(wanted.to, wanted.to_span()) != misfit(to_host) &&
                    memory.place_of(wanted.from, wanted.from_span()) != misfit(from_host);
  return fits ? cudaSuccess
              : refuse(cudaErrorInvalidValue,
                       std::string(name) + " was given pointers that do not match its direction");
}

cudaError_t start(const char* name, const Copy& wanted, cudaMemcpyKind kind, cudaStream_t handle) {
  return run({.name = name}, [&] {
    if (const auto status = check_direction(name, wanted, kind); status != cudaSuccess) return status;
    const auto stream = machine().stream(handle);
    return stream ? copy(wanted, stream, Returns::when_queued) : cudaErrorInvalidResourceHandle;
  });
}

/// On the legacy default stream.
cudaError_t finish(const char* name, const Copy& wanted, cudaMemcpyKind kind) {
  return run({.name = name, .refusal = cudaErrorLaunchFailure, .unsafe = true}, [&] {
    if (const auto status = check_direction(name, wanted, kind); status != cudaSuccess) return status;
    return copy(wanted, machine().stream(cudaStreamLegacy), Returns::when_done);
  });
}

bool pitches_fit(const Copy& wanted) {
  return wanted.height <= 1 || (wanted.width <= wanted.to_pitch && wanted.width <= wanted.from_pitch);
}

/// The legacy form waits where the memory is the host's.
cudaError_t set(const char* name, void* p, int value, std::size_t size, cudaStream_t handle, bool may_wait) {
  return run({.name = name, .unsafe = may_wait}, [&] {
    const auto stream = machine().stream(handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    if (size == 0) return cudaSuccess;
    const auto place = machine().memory.place_of(p, size);
    if (place == Place::pageable || place == Place::wrong)
      return refuse(
          cudaErrorInvalidValue,
          std::string(name) + " sets " + std::to_string(size) + " bytes that begin at " +
              (place == Place::pageable ? std::string("pageable host memory, which no device reaches")
                                        : machine().memory.describe(reinterpret_cast<std::uintptr_t>(p))));
    const Order order{.command = {.what = "memset", .name = name, .bytes = size},
                      .waits = may_wait && place == Place::host};
    return give(stream, order, [at = work_address(p), value, size] { std::memset(at, value, size); });
  });
}

}  // namespace

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t size, cudaMemcpyKind kind) {
  return finish("cudaMemcpy", flat(to, from, size), kind);
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t size, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return start("cudaMemcpyAsync", flat(to, from, size), kind, stream);
}
cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, std::size_t size, cudaStream_t stream) {
  return start("cudaMemcpyPeerAsync", flat(to, from, size), cudaMemcpyDefault, stream);
}
cudaError_t cudaMemcpyPeer(void* to, int, const void* from, int, std::size_t size) {
  return finish("cudaMemcpyPeer", flat(to, from, size), cudaMemcpyDefault);
}

cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                              std::size_t width, std::size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
  const Copy wanted{to, from, width, height, to_pitch, from_pitch};
  if (!pitches_fit(wanted))
    return run({.name = "cudaMemcpy2DAsync"}, [] { return cudaErrorInvalidPitchValue; });
  return start("cudaMemcpy2DAsync", wanted, kind, stream);
}
cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                         std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  const Copy wanted{to, from, width, height, to_pitch, from_pitch};
  if (!pitches_fit(wanted)) return run({.name = "cudaMemcpy2D"}, [] { return cudaErrorInvalidPitchValue; });
  return finish("cudaMemcpy2D", wanted, kind);
}

cudaError_t cudaMemcpyBatchAsync(void* const* to, const void* const* from, const std::size_t* sizes,
                                 std::size_t count, cudaMemcpyAttributes* attributes, std::size_t* first,
                                 std::size_t kinds, cudaStream_t handle) {
  return run({.name = "cudaMemcpyBatchAsync"}, [&] {
    const bool legacy = handle == nullptr || handle == cudaStreamLegacy;
    if (legacy || count == 0 || kinds == 0 || kinds > count || first[0] != 0) return cudaErrorInvalidValue;
    const auto stream = machine().stream(handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    for (std::size_t i = 0, kind = 0; i < count; ++i) {
      if (kind + 1 < kinds && first[kind + 1] <= i) ++kind;
      if (attributes[kind].srcAccessOrder == cudaMemcpySrcAccessOrderInvalid) return cudaErrorInvalidValue;
      if (const auto status = copy(flat(to[i], from[i], sizes[i]), stream, Returns::when_queued);
          status != cudaSuccess)
        return status;
      if (attributes[kind].srcAccessOrder == cudaMemcpySrcAccessOrderDuringApiCall)
        wait_for(machine().device(stream->device).work_of(*stream));
    }
    return cudaSuccess;
  });
}

cudaError_t cudaMemset(void* p, int value, std::size_t size) {
  return set("cudaMemset", p, value, size, cudaStreamLegacy, true);
}
cudaError_t cudaMemsetAsync(void* p, int value, std::size_t size, cudaStream_t stream) {
  return set("cudaMemsetAsync", p, value, size, stream, false);
}

cudaError_t cudaMemPrefetchAsync(const void* p, std::size_t size, cudaMemLocation to, unsigned flags,
                                 cudaStream_t handle) {
  return run({.name = "cudaMemPrefetchAsync"}, [&] {
    const auto stream = machine().stream(handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    if (flags != 0 || size == 0 || machine().memory.place_of(p, size) != Place::managed)
      return cudaErrorInvalidValue;
    const bool to_device = to.type == cudaMemLocationTypeDevice;
    if (to_device && (to.id < 0 || to.id >= machine().count())) return cudaErrorInvalidDevice;
    if (!to_device && to.type != cudaMemLocationTypeHost) return cudaErrorInvalidValue;
    return give(stream, {.command = {.what = "prefetch", .name = "prefetch", .bytes = size}}, [] {});
  });
}
cudaError_t cudaMemAdvise(const void* p, std::size_t size, cudaMemoryAdvise, cudaMemLocation) {
  return run({.name = "cudaMemAdvise"}, [&] {
    return machine().memory.place_of(p, size) == Place::managed ? cudaSuccess : cudaErrorInvalidValue;
  });
}
