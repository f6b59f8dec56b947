// What a program's device code brings: its modules, functions and variables.
#include "stand_in/runtime/api.hpp"
#include "stand_in/runtime/call.hpp"
#include "stand_in/runtime/launch.hpp"
#include "stand_in/runtime/submit.hpp"

#include <cstring>

using namespace stand_in;

namespace {

/// Constant memory is the device's, but lies where the host code of its kernels has it.
cudaError_t copy_to_symbol(const char* name, const void* symbol, const void* from, std::size_t size,
                           std::size_t offset, cudaStream_t handle, bool waits) {
  return run({.name = name, .unsafe = waits}, [&] {
    load_companions();
    std::size_t room = 0;
    auto* const at = static_cast<char*>(machine().kernels.find_variable(symbol, &room));
    if (at == nullptr) return cudaErrorInvalidSymbol;
    if (offset > room || size > room - offset) return cudaErrorInvalidValue;
    const auto stream = machine().stream(handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    const auto place = machine().memory.place_of(from, size);
    if (place == Place::wrong) return cudaErrorInvalidValue;
    const Order order{.command = {.what = "memcpy", .name = "to a symbol", .bytes = size},
                      .waits = waits || place == Place::pageable};
    const auto* source = machine().memory.range_of(from) == nullptr ? from : work_side(from);
    return give(stream, order, [=] { std::memcpy(at + offset, source, size); });
  });
}

}  // namespace

cudaError_t cudaGetSymbolAddress(void** out, const void* symbol) {
  return run({.name = "cudaGetSymbolAddress"}, [&] {
    load_companions();
    std::size_t size = 0;
    *out = machine().kernels.find_variable(symbol, &size);
    return *out == nullptr ? cudaErrorInvalidSymbol : cudaSuccess;
  });
}
cudaError_t cudaGetSymbolSize(std::size_t* out, const void* symbol) {
  return run({.name = "cudaGetSymbolSize"}, [&] {
    return machine().kernels.find_variable(symbol, out) == nullptr ? cudaErrorInvalidSymbol : cudaSuccess;
  });
}
cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t size, std::size_t offset,
                               cudaMemcpyKind) {
  return copy_to_symbol("cudaMemcpyToSymbol", symbol, from, size, offset, cudaStreamLegacy, true);
}
cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, std::size_t size,
                                    std::size_t offset, cudaMemcpyKind, cudaStream_t stream) {
  return copy_to_symbol("cudaMemcpyToSymbolAsync", symbol, from, size, offset, stream, false);
}

extern "C" {
#pragma GCC visibility push(default)
void** __cudaRegisterFatBinary(void* wrapper) {
  auto* const module = machine().kernels.add_module(read_fat_binary(wrapper));
  return reinterpret_cast<void**>(const_cast<Module*>(module));
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
char __cudaInitModule(void**) { return 1; }
void __cudaRegisterFunction(void** module, const char* host, char*, const char* name, int, uint3*, uint3*,
                            dim3*, dim3*, int*) {
  machine().kernels.add_function(host, {.name = name, .module = reinterpret_cast<const Module*>(module)});
}
void __cudaRegisterVar(void**, char* host, char*, const char* name, int, std::size_t size, int, int) {
  machine().kernels.add_variable(host, {.name = name, .size = size});
}
void __cudaRegisterManagedVar(void**, void**, char*, const char*, int, std::size_t, int, int) {}
#pragma GCC visibility pop
}
