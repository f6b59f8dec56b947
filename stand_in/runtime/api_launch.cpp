// Kernels: how nvcc's programs announce and launch them. Other than in CUDA's headers these names are nowhere
// described.

#include "stand_in/runtime/api.hpp"
#include "stand_in/runtime/call.hpp"
#include "stand_in/runtime/kernel_table.hpp"
#include "stand_in/runtime/submit.hpp"

#include <cstring>

using namespace stand_in;

namespace {

constexpr unsigned most_threads = 1024;
constexpr std::size_t most_shared = 227 << 10;

bool is_possible(dim3 grid, dim3 block) {
  constexpr unsigned most_deep = 64;
  constexpr unsigned most_rows = 65535;
  constexpr unsigned most_columns = 2147483647;
  const auto threads = std::uint64_t{block.x} * block.y * block.z;
  return grid.x > 0 && grid.y > 0 && grid.z > 0 && grid.x <= most_columns && grid.y <= most_rows &&
         grid.z <= most_rows && threads > 0 && threads <= most_threads && block.x <= most_threads &&
         block.y <= most_threads && block.z <= most_deep;
}

/// While it lives, pointers are checked against the device that is current.
struct Launching {
  Launching() { this_thread().launching = true; }
  Launching(const Launching&) = delete;
  Launching& operator=(const Launching&) = delete;
  ~Launching() { this_thread().launching = false; }
};

/// CUDA Programming Guide, Lazy Loading, Potential Hazards: loading may wait for the whole context. A launch
/// that is captured loads its kernel without the wait: in a capture every wait is an error.
void load(const void* function, const Stream& stream) {
  if (!machine().settings.lazy || !machine().kernels.is_first_launch(function, stream.device)) return;
  if (!machine().captures.has_one_of_this_thread()) drain();
}

/// What was said of the next launch, for this one.
Command work_that_was_announced() {
  auto command = std::exchange(this_thread().next_launch, {});
  command.what = "kernel";
  command.unit = "arithmetic";
  return command;
}

cudaError_t launch(const void* function, const LaunchConfiguration& how, void** arguments) {
  return run({.name = "a kernel's launch", .refusal = cudaErrorLaunchOutOfResources}, [&] {
    load_companions();
    const Unpack* unpack = nullptr;
    std::string name = "a function that no module announced";
    const auto found = machine().kernels.find(function, &unpack, &name);
    if (found == cudaErrorNoKernelImageForDevice) return found;
    if (found != cudaSuccess) return refuse(found, "there is no host code for the kernel " + name);
    if (!is_possible(how.grid, how.block)) return cudaErrorInvalidConfiguration;
    if (how.shared > machine().kernels.shared_limit(function)) return cudaErrorInvalidValue;
    const auto stream = machine().stream(how.stream);
    if (!stream) return cudaErrorInvalidResourceHandle;
    load(function, *stream);
    std::function<void()> work;
    try {
      const Launching launching;
      work = (*unpack)(arguments, how.grid, how.block);
    } catch (const HostPointer& error) {  // a real kernel would start, and fail
      fail(cudaErrorIllegalAddress, "the kernel " + name + " was given " + error.what());
      return cudaSuccess;
    }
    auto command = work_that_was_announced();
    command.name = name;
    command.blocks = how.grid.x * how.grid.y * how.grid.z;
    return give(stream, {.command = command}, std::move(work));
  });
}

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

/// Not CUDA's: harness/cuda/launch_work.hpp.
extern "C" [[gnu::visibility("default")]] void cudaNextLaunchDoes(double bytes, double flop) {
  auto& next = this_thread().next_launch;
  next.counted = true;
  next.bytes = static_cast<std::size_t>(bytes);
  next.flop = flop;
}
extern "C" [[gnu::visibility("default")]] void cudaNextLaunchTakes(double seconds, double as_copy) {
  auto& next = this_thread().next_launch;
  next.counted = true;
  next.seconds = seconds;
  next.as_copy = as_copy;
}

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                             std::size_t shared, cudaStream_t stream) {
  return launch(function, {grid, block, shared, stream}, arguments);
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* how, const void* function, void** arguments) {
  return launch(function, {how->gridDim, how->blockDim, how->dynamicSmemBytes, how->stream}, arguments);
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* out, const void* function) {
  return run({.name = "cudaFuncGetAttributes"}, [&] {
    std::memset(out, 0, sizeof *out);
    out->maxThreadsPerBlock = most_threads;
    out->maxDynamicSharedSizeBytes = static_cast<int>(machine().kernels.shared_limit(function));
    out->numRegs = 32;
    out->binaryVersion = out->ptxVersion = 10 * machine().settings.major + machine().settings.minor;
    return cudaSuccess;
  });
}
cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute which, int value) {
  return run({.name = "cudaFuncSetAttribute"}, [&] {
    if (which != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
    if (value < 0 || static_cast<std::size_t>(value) > most_shared) return cudaErrorInvalidValue;
    machine().kernels.set_shared_limit(function, static_cast<std::size_t>(value));
    return cudaSuccess;
  });
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* out, const void*, int threads,
                                                                   std::size_t, unsigned) {
  return run({.name = "cudaOccupancyMaxActiveBlocksPerMultiprocessor"}, [&] {
    constexpr int resident = 2048;
    if (threads <= 0) return cudaErrorInvalidValue;
    *out = resident / threads;
    return cudaSuccess;
  });
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* out, const void* function, int threads,
                                                          std::size_t shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(out, function, threads, shared, 0);
}

extern "C" {
#pragma GCC visibility push(default)
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared, CUstream_st* stream) {
  this_thread().configurations.push_back({grid, block, shared, stream});
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* stream) {
  const auto how = this_thread().configurations.back();
  this_thread().configurations.pop_back();
  *grid = how.grid;
  *block = how.block;
  *shared = how.shared;
  *static_cast<cudaStream_t*>(stream) = how.stream;
  return cudaSuccess;
}
cudaError_t __cudaGetKernel(cudaKernel_t* out, const void* function) {
  *out = static_cast<cudaKernel_t>(const_cast<void*>(function));
  return cudaSuccess;
}
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               std::size_t shared, cudaStream_t stream) {
  return launch(kernel, {grid, block, shared, stream}, arguments);
}
#pragma GCC visibility pop
}

// What a program's device code brings: its modules, functions and variables.

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
