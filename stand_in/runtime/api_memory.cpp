// Memory that is allocated and freed at once: the device's, the host's, managed and registered.

#include "stand_in/runtime/api.hpp"
#include "stand_in/runtime/call.hpp"
#include "stand_in/runtime/memory.hpp"
#include "stand_in/runtime/submit.hpp"

#include <cstring>

using namespace stand_in;

namespace {

Call allocation(const char* name) {
  return {.name = name, .refusal = cudaErrorMemoryAllocation, .unsafe = true, .unpriced = true};
}

cudaError_t take(const char* name, void** out, std::size_t size, Kind kind, unsigned flags) {
  return run(allocation(name), [&] {
    if (out == nullptr) return cudaErrorInvalidValue;
    return machine().memory.take(out, size, {.kind = kind, .flags = flags, .device = this_thread().device});
  });
}

/// Waits first: what is queued may still use the block. Blocks of pools are the caller's to wait for.
cudaError_t give_back(const char* name, void* p, bool kinds_on_host) {
  if (p == nullptr) return run({.name = name}, [] { return cudaSuccess; });
  return run({.name = name, .unsafe = true, .unpriced = true}, [&] {
    auto& memory = machine().memory;
    const auto block = memory.find(p);
    for (int i = 0; i < machine().count() && !(block && block->from_pool); ++i)
      wait_for(machine().device(i).all_work());
    const bool twice = memory.was_freed(p);
    const auto status = memory.give_back(p, kinds_on_host);
    if (status == cudaSuccess) return status;
    return refuse(status, std::string(name) + (twice ? " of a block that was freed before: a second time"
                                                     : " of a pointer that it did not give"));
  });
}

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

cudaError_t cudaMalloc(void** out, std::size_t size) {
  return take("cudaMalloc", out, size, Kind::device, 0);
}
cudaError_t cudaFree(void* p) { return give_back("cudaFree", p, false); }
cudaError_t cudaHostAlloc(void** out, std::size_t size, unsigned flags) {
  constexpr unsigned known = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
  if ((flags & ~known) != 0) return run({.name = "cudaHostAlloc"}, [] { return cudaErrorInvalidValue; });
  return take("cudaHostAlloc", out, size, Kind::pinned, flags);
}
cudaError_t cudaMallocHost(void** out, std::size_t size) {
  return take("cudaMallocHost", out, size, Kind::pinned, cudaHostAllocDefault);
}
cudaError_t cudaFreeHost(void* p) { return give_back("cudaFreeHost", p, true); }
cudaError_t cudaMallocManaged(void** out, std::size_t size, unsigned flags) {
  const bool known = flags == cudaMemAttachGlobal || flags == cudaMemAttachHost;
  if (size == 0 || !known) return run({.name = "cudaMallocManaged"}, [] { return cudaErrorInvalidValue; });
  return take("cudaMallocManaged", out, size, Kind::managed, flags);
}

cudaError_t cudaHostRegister(void* p, std::size_t size, unsigned flags) {
  return run(allocation("cudaHostRegister"), [&] {
    if (p == nullptr || size == 0 || is_device(p)) return cudaErrorInvalidValue;
    return machine().memory.add_registered({.at = reinterpret_cast<std::uintptr_t>(p),
                                            .size = size,
                                            .kind = Kind::registered,
                                            .flags = flags,
                                            .device = this_thread().device});
  });
}
cudaError_t cudaHostUnregister(void* p) {
  return run({.name = "cudaHostUnregister", .unsafe = true, .unpriced = true}, [&] {
    for (int i = 0; i < machine().count(); ++i) wait_for(machine().device(i).all_work());
    return machine().memory.remove_registered(p);
  });
}

cudaError_t cudaHostGetDevicePointer(void** out, void* p, unsigned flags) {
  return run({.name = "cudaHostGetDevicePointer"}, [&] {
    const auto block = machine().memory.find(p);
    if (flags != 0 || !block || block->kind == Kind::device) return cudaErrorInvalidValue;
    *out = p;
    return cudaSuccess;
  });
}
cudaError_t cudaHostGetFlags(unsigned* out, void* p) {
  return run({.name = "cudaHostGetFlags"}, [&] {
    const auto block = machine().memory.find(p);
    if (!block || block->kind != Kind::pinned) return cudaErrorInvalidValue;
    *out = block->flags | cudaHostAllocMapped;  // all page-locked memory is mapped, with one address space
    return cudaSuccess;
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* out, const void* p) {
  return run({.name = "cudaPointerGetAttributes"}, [&] {
    std::memset(out, 0, sizeof *out);
    const auto block = machine().memory.find(p);
    auto* const address = const_cast<void*>(p);
    if (!block) {
      out->type = cudaMemoryTypeUnregistered;
      out->device = cudaInvalidDeviceId;
      out->hostPointer = address;
      return cudaSuccess;
    }
    out->device = block->device;
    out->devicePointer = address;
    out->type = cudaMemoryTypeHost;
    if (block->kind == Kind::device) out->type = cudaMemoryTypeDevice;
    if (block->kind == Kind::managed) out->type = cudaMemoryTypeManaged;
    if (block->kind != Kind::device) out->hostPointer = address;
    return cudaSuccess;
  });
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  return run({.name = "cudaMemGetInfo"}, [&] {
    *total = machine().memory.total();
    *free = *total - machine().memory.used(this_thread().device);
    return cudaSuccess;
  });
}

// Memory in the order of a stream, and the pools that it comes from.

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
