// Memory in the order of a stream, and the pools that it comes from.
#include "stand_in/runtime/api.hpp"
#include "stand_in/runtime/call.hpp"
#include "stand_in/runtime/pools.hpp"
#include "stand_in/runtime/submit.hpp"
#include "stand_in/runtime/thread_state.hpp"

#include <cstring>

using namespace stand_in;

namespace {

template <class Body>
cudaError_t on_pool(const char* name, cudaMemPool_t handle, const Body& body) {
  return run({.name = name}, [&] {
    const auto pool = machine().pools.find(handle);
    return pool ? body(*pool) : cudaErrorInvalidValue;
  });
}

/// A block of the pool for a stream. Where memory is short, what streams have yet to free is waited for.
cudaError_t take(void** out, std::size_t size, const Pool& pool) {
  const Block wanted{.kind = Kind::device, .device = pool.device, .from_pool = true};
  auto status = machine().memory.take(out, size, wanted);
  if (status != cudaErrorMemoryAllocation) return status;
  wait_for(machine().device(pool.device).all_work());
  return machine().memory.take(out, size, wanted);
}

cudaError_t default_pool(const char* name, cudaMemPool_t* out, int device) {
  return run({.name = name}, [&] {
    if (device < 0 || device >= machine().count()) return cudaErrorInvalidDevice;
    *out = machine().pools.of_device(device);
    return cudaSuccess;
  });
}

}  // namespace

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* out, int device) {
  return default_pool("cudaDeviceGetDefaultMemPool", out, device);
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* out, int device) {
  return default_pool("cudaDeviceGetMemPool", out, device);
}
cudaError_t cudaMemPoolCreate(cudaMemPool_t* out, const cudaMemPoolProps* wanted) {
  return run({.name = "cudaMemPoolCreate", .refusal = cudaErrorMemoryAllocation}, [&] {
    const auto& place = wanted->location;
    if (wanted->allocType != cudaMemAllocationTypePinned || place.type != cudaMemLocationTypeDevice)
      return cudaErrorInvalidValue;
    if (place.id < 0 || place.id >= machine().count()) return cudaErrorInvalidDevice;
    *out = machine().pools.add(place.id);
    return cudaSuccess;
  });
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  return run({.name = "cudaMemPoolDestroy"},
             [&] { return machine().pools.remove(pool) ? cudaSuccess : cudaErrorInvalidValue; });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t handle, cudaMemPoolAttr which, void* value) {
  return on_pool("cudaMemPoolSetAttribute", handle, [&](Pool& pool) {
    if (which == cudaMemPoolAttrReleaseThreshold) std::memcpy(&pool.threshold, value, sizeof pool.threshold);
    return cudaSuccess;
  });
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t handle, cudaMemPoolAttr which, void* value) {
  return on_pool("cudaMemPoolGetAttribute", handle, [&](const Pool& pool) {
    const std::uint64_t used = machine().memory.used(pool.device);
    if (which == cudaMemPoolAttrReleaseThreshold)
      std::memcpy(value, &pool.threshold, sizeof pool.threshold);
    else if (which >= cudaMemPoolAttrReservedMemCurrent && which <= cudaMemPoolAttrUsedMemHigh)
      std::memcpy(value, &used, sizeof used);
    else
      return cudaErrorNotSupported;
    return cudaSuccess;
  });
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t handle, std::size_t) {
  return on_pool("cudaMemPoolTrimTo", handle, [](const Pool&) { return cudaSuccess; });
}
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t handle, const cudaMemAccessDesc*, std::size_t) {
  return on_pool("cudaMemPoolSetAccess", handle, [](const Pool&) { return cudaSuccess; });
}

cudaError_t cudaMallocFromPoolAsync(void** out, std::size_t size, cudaMemPool_t from, cudaStream_t handle) {
  const Call call{.name = "cudaMallocFromPoolAsync", .refusal = cudaErrorMemoryAllocation, .unpriced = true};
  return run(call, [&] {
    const auto pool = machine().pools.find(from);
    const auto stream = machine().stream(handle);
    if (!pool || out == nullptr) return cudaErrorInvalidValue;
    if (!stream) return cudaErrorInvalidResourceHandle;
    if (const auto status = machine().captures.refuse(stream); status != cudaSuccess)
      return refuse(status, "the stand-in has no memory nodes: cudaMallocAsync in a capture");
    return take(out, size, *pool);
  });
}
cudaError_t cudaMallocAsync(void** out, std::size_t size, cudaStream_t handle) {
  const auto stream = machine().stream(handle);
  const auto device = stream ? stream->device : this_thread().device;
  return cudaMallocFromPoolAsync(out, size, machine().pools.of_device(device), handle);
}
cudaError_t cudaFreeAsync(void* p, cudaStream_t handle) {
  return run({.name = "cudaFreeAsync", .unpriced = true}, [&] {
    const auto stream = machine().stream(handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    if (p == nullptr) return cudaSuccess;
    if (!machine().memory.find(p))
      return refuse(cudaErrorInvalidValue, "cudaFreeAsync of memory that is not allocated");
    if (const auto status = machine().captures.refuse(stream); status != cudaSuccess)
      return refuse(status, "the stand-in has no memory nodes: cudaFreeAsync in a capture");
    return give(stream, {.command = {.what = "free", .name = "cudaFreeAsync"}}, [p] {
      if (machine().memory.give_back(p, false) != cudaSuccess)
        fail(cudaErrorInvalidValue, "cudaFreeAsync of memory that was freed before its turn came");
    });
  });
}
