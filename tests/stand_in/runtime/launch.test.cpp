// CUDA C++ Programming Guide, Technical Specifications per Compute Capability; CUDA Runtime API, Execution
// Control.
#include "tests/stand_in/runtime/probe.hpp"

#include <catch2/catch_test_macros.hpp>

#include <atomic>
#include <string>

extern "C" {
void** __cudaRegisterFatBinary(void* wrapper);
void __cudaRegisterFunction(void** module, const char* host, char*, const char* name, int, uint3*, uint3*,
                            dim3*, dim3*, int*);
}

namespace {

using namespace stand_in::probe;

/// As nvcc's code announces the kernel `fill` of a file probe.cu, with an empty binary of unknown
/// architecture.
const void* a_kernel() {
  static const struct {
    unsigned magic = 0;
  } wrapper;
  static const char host = 0;
  static const bool announced = [] {
    auto* const module = __cudaRegisterFatBinary(const_cast<void*>(static_cast<const void*>(&wrapper)));
    __cudaRegisterFunction(module, &host, nullptr, "_ZN45_GLOBAL__N__01234567_8_probe_cu_01234567_4fillEPi",
                           -1, nullptr, nullptr, nullptr, nullptr, nullptr);
    stand_in::add_kernel("probe", "fill", [](void** arguments, dim3 grid, dim3 block) {
      auto* const out = static_cast<int*>(stand_in::work_side(*static_cast<int**>(arguments[0])));
      return [=] { *out = static_cast<int>(grid.x * block.x); };
    });
    return true;
  }();
  return announced ? &host : nullptr;
}

cudaError_t try_launch(dim3 grid, dim3 block, std::size_t shared = 0) {
  const Memory memory(sizeof(int));
  void* data = memory.data();
  void* arguments[] = {&data};
  const auto status = cudaLaunchKernel(a_kernel(), grid, block, arguments, shared, nullptr);
  cudaDeviceSynchronize();
  cudaGetLastError();
  return status;
}

TEST_CASE("a kernel with host code runs with its arguments as they were at the launch", "[launch]") {
  const Memory memory(sizeof(int));
  void* data = memory.data();
  void* arguments[] = {&data};
  Gate gate;
  launch(nullptr, gate.waiting());
  REQUIRE(cudaLaunchKernel(a_kernel(), 3, 5, arguments, 0, nullptr) == cudaSuccess);
  data = nullptr;
  gate.open();
  int seen = 0;
  REQUIRE(cudaMemcpy(&seen, memory.data(), sizeof seen, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(seen == 15);
}

TEST_CASE("a launch keeps to the limits of blocks and grids", "[launch]") {
  // Maximum number of threads per block 1024; x- and y-dimension of a block 1024, z 64; grid 2^31 - 1, 65535,
  // 65535.
  CHECK(try_launch(1, 1024) == cudaSuccess);
  CHECK(try_launch(1, 1025) == cudaErrorInvalidConfiguration);
  CHECK(try_launch(1, dim3(64, 32)) == cudaErrorInvalidConfiguration);
  CHECK(try_launch(1, dim3(1, 1, 65)) == cudaErrorInvalidConfiguration);
  CHECK(try_launch(0, 1) == cudaErrorInvalidConfiguration);
  CHECK(try_launch(dim3(1, 65535), 1) == cudaSuccess);
  CHECK(try_launch(dim3(1, 65536), 1) == cudaErrorInvalidConfiguration);
}

TEST_CASE("more than 48 KiB of dynamic shared memory must be asked for beforehand", "[launch]") {
  // Shared Memory: "kernels that rely on shared memory allocations over 48 KB per block ... must use dynamic
  // shared memory
  // ... and require an explicit opt-in using cudaFuncSetAttribute()". The limit of sm_90 is 227 KB.
  CHECK(try_launch(1, 1, 48 << 10) == cudaSuccess);
  CHECK(try_launch(1, 1, 49 << 10) == cudaErrorInvalidValue);
  const auto which = cudaFuncAttributeMaxDynamicSharedMemorySize;
  CHECK(cudaFuncSetAttribute(a_kernel(), which, 228 << 10) == cudaErrorInvalidValue);
  CHECK(cudaFuncSetAttribute(a_kernel(), which, 100 << 10) == cudaSuccess);
  CHECK(try_launch(1, 1, 100 << 10) == cudaSuccess);
  CHECK(cudaFuncSetAttribute(a_kernel(), which, 48 << 10) == cudaSuccess);
}

TEST_CASE("a kernel without host code is refused by its name", "[launch]") {
  static const char other = 0;
  __cudaRegisterFunction(nullptr, &other, nullptr, "_ZN2at6native10index_sortEPf", -1, nullptr, nullptr,
                         nullptr, nullptr, nullptr);
  CHECK(cudaLaunchKernel(&other, 1, 1, nullptr, 0, nullptr) == cudaErrorInvalidDeviceFunction);
  CHECK(cudaGetLastError() == cudaErrorInvalidDeviceFunction);
}

TEST_CASE("alone: a kernel is given pageable memory", "[.alone]") {
  int pageable = 0;
  void* data = &pageable;
  void* arguments[] = {&data};
  CHECK(cudaLaunchKernel(a_kernel(), 1, 1, arguments, 0, nullptr) == cudaErrorIllegalAddress);
  CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
}

TEST_CASE("a kernel's argument that is pageable memory fails the device with a sentence", "[launch][death]") {
  const auto ended = run_alone("alone: a kernel is given pageable memory");
  INFO(ended.words);
  CHECK(ended.status == 0);
  CHECK(ended.words.find("was given pageable host memory, which no device reaches") != std::string::npos);
}

cudaError_t launch_kernel(const Memory& memory, cudaStream_t stream) {
  void* data = memory.data();
  void* arguments[] = {&data};
  return cudaLaunchKernel(a_kernel(), 1, 1, arguments, 0, stream);
}

TEST_CASE("alone: the first and the second launch of a kernel", "[.alone]") {
  const Stream one;
  const Stream other;
  const Memory memory(sizeof(int));
  std::atomic<bool> ran = false;
  launch(other, [&] { ran = true; });
  REQUIRE(launch_kernel(memory, one) == cudaSuccess);
  CHECK(ran);
  Gate gate;
  launch(other, gate.waiting());
  REQUIRE(launch_kernel(memory, one) == cudaSuccess);
  gate.open();
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
}
TEST_CASE("with lazy loading a kernel's first launch waits for all streams, the second for none",
          "[launch]") {
  // CUDA Programming Guide, Lazy Loading, Potential Hazards. By the seed nothing runs that is not waited for.
  const auto ended =
      run_alone("alone: the first and the second launch of a kernel", "STAND_IN_LAZY=1 STAND_IN_SEED=0");
  INFO(ended.words);
  CHECK(ended.status == 0);
}

TEST_CASE("alone: the first launch of a kernel is captured", "[.alone]") {
  const Stream one;
  const Stream other;
  const Memory memory(sizeof(int));
  Gate gate;
  launch(other, gate.waiting());
  REQUIRE(cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal) == cudaSuccess);
  CHECK(launch_kernel(memory, one) == cudaSuccess);
  cudaGraph_t graph{};
  CHECK(cudaStreamEndCapture(one, &graph) == cudaSuccess);
  gate.open();
  cudaGraphDestroy(graph);
}
TEST_CASE("with lazy loading a capture waits for nothing", "[launch]") {
  const auto ended = run_alone("alone: the first launch of a kernel is captured", "STAND_IN_LAZY=1");
  INFO(ended.words);
  CHECK(ended.status == 0);
}

}  // namespace
