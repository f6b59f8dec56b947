#include "tests/stand_in/runtime/probe.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cstring>
#include <vector>

namespace {

using namespace stand_in::probe;
using Catch::Matchers::ContainsSubstring;

std::vector<char> read(const void* from, std::size_t size) {
  std::vector<char> bytes(size);
  REQUIRE(cudaMemcpy(bytes.data(), from, size, cudaMemcpyDeviceToHost) == cudaSuccess);
  return bytes;
}

TEST_CASE("new device memory is NaN", "[memory]") {
  // CUDA Runtime API, Memory Management, cudaMalloc: "The memory is not cleared."
  const Memory memory(100);
  CHECK(read(memory.data(), 100) == std::vector<char>(100, static_cast<char>(0xff)));
}

TEST_CASE("an allocation of no bytes gives no address and no error", "[memory]") {
  void* data = &data;
  CHECK(cudaMalloc(&data, 0) == cudaSuccess);
  CHECK(data == nullptr);
  CHECK(cudaFree(nullptr) == cudaSuccess);  // cudaFree: "If devPtr is 0, no operation is performed."
}

TEST_CASE("more memory than the device has is refused and what it had is still there", "[memory]") {
  // cudaMalloc: "returns cudaErrorMemoryAllocation in case of failure"
  std::size_t free = 0;
  std::size_t total = 0;
  REQUIRE(cudaMemGetInfo(&free, &total) == cudaSuccess);
  void* data = nullptr;
  CHECK(cudaMalloc(&data, free + 1) == cudaErrorMemoryAllocation);
  CHECK(cudaGetLastError() == cudaErrorMemoryAllocation);
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(cudaMalloc(&data, 1 << 20) == cudaSuccess);
  CHECK(cudaFree(data) == cudaSuccess);
}

TEST_CASE("a block that was freed is refused by whoever names it", "[memory]") {
  // cudaFree: "If cudaFree(devPtr) has already been called before, an error is returned."
  void* data = nullptr;
  REQUIRE(cudaMalloc(&data, 64) == cudaSuccess);
  REQUIRE(cudaFree(data) == cudaSuccess);
  char byte = 0;
  CHECK(cudaFree(data) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(&byte, data, 1, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  CHECK(cudaMemset(data, 0, 1) == cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST_CASE("memory goes back by the function that belongs to it", "[memory]") {
  // cudaFree: the pointer "must have been returned by" cudaMalloc and its like; cudaFreeHost: by
  // cudaMallocHost or cudaHostAlloc.
  const Memory memory(64);
  const Pinned pinned(64);
  int pageable = 0;
  CHECK(cudaFreeHost(memory.data()) == cudaErrorInvalidValue);
  CHECK(cudaFree(pinned.data()) == cudaErrorInvalidValue);
  CHECK(cudaFree(&pageable) == cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST_CASE("a copy may not leave its block", "[memory]") {
  const Memory memory(100);
  std::vector<char> bytes(101);
  CHECK(cudaMemcpy(bytes.data(), memory.data(), 101, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  CHECK(cudaMemset(memory.data() + 99, 0, 2) == cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST_CASE("blocks of a pool come and go in the stream's order", "[memory]") {
  // CUDA C++ Programming Guide, Stream Ordered Memory Allocator: the allocation may be used by work behind it
  // in the stream until the free in the stream's order.
  const Stream stream;
  void* data = nullptr;
  REQUIRE(cudaMallocAsync(&data, 64, stream) == cudaSuccess);
  REQUIRE(cudaMemsetAsync(data, 5, 64, stream) == cudaSuccess);
  char byte = 0;
  REQUIRE(cudaMemcpyAsync(&byte, data, 1, cudaMemcpyDeviceToHost, stream) == cudaSuccess);
  CHECK(byte == 5);
  CHECK(cudaFreeAsync(data, stream) == cudaSuccess);
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(cudaMemsetAsync(data, 5, 64, stream) == cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST_CASE("alone: host code reads device memory", "[.alone]") {
  const Memory memory(1000);
  CHECK(*static_cast<volatile char*>(memory.data() + 24) == 0);
}

TEST_CASE("alone: host code writes to device memory that was freed", "[.alone]") {
  void* data = nullptr;
  REQUIRE(cudaMalloc(&data, 1000) == cudaSuccess);
  cudaFree(data);
  *static_cast<volatile char*>(data) = 1;
}

TEST_CASE("alone: a kernel writes past its block", "[.alone]") {
  const Memory memory(256);
  launch(nullptr, [at = static_cast<volatile char*>(stand_in::work_side(memory.data()))] { at[256] = 1; });
  cudaDeviceSynchronize();
}

TEST_CASE("alone: a kernel reads a block of a pool that was freed", "[.alone]") {
  const Stream stream;
  void* data = nullptr;
  REQUIRE(cudaMallocAsync(&data, 256, stream) == cudaSuccess);
  const auto* at = static_cast<const volatile char*>(stand_in::work_side(data));
  cudaFreeAsync(data, stream);
  launch(stream, [at] { static_cast<void>(at[0]); });
  cudaStreamSynchronize(stream);
}

TEST_CASE("host code that touches device memory ends the process with a sentence", "[memory][death]") {
  const auto ended = run_alone("alone: host code reads device memory");
  CHECK(ended.status != 0);
  CHECK_THAT(ended.words, ContainsSubstring("stand-in: host code touched device memory: 0x"));
  CHECK_THAT(ended.words, ContainsSubstring("byte 24 of a block of 1000 bytes on device 0"));
  CHECK_THAT(ended.words, ContainsSubstring("SIGSEGV"));  // the test framework's handler comes after ours
}

TEST_CASE("host code that touches freed device memory learns that it was freed", "[memory][death]") {
  const auto ended = run_alone("alone: host code writes to device memory that was freed");
  CHECK(ended.status != 0);
  CHECK_THAT(ended.words, ContainsSubstring("byte 0 of a freed block of 1000 bytes on device 0"));
}

TEST_CASE("a kernel that runs past its block ends the process with a sentence", "[memory][death]") {
  const auto ended = run_alone("alone: a kernel writes past its block");
  CHECK(ended.status != 0);
  CHECK_THAT(ended.words, ContainsSubstring("stand-in: kernel touched 0x"));
  CHECK_THAT(ended.words, ContainsSubstring("0 bytes past the end of a block of 256 bytes on device 0"));
}

TEST_CASE("a kernel behind a block's free in its stream ends the process with a sentence",
          "[memory][death]") {
  const auto ended = run_alone("alone: a kernel reads a block of a pool that was freed");
  CHECK(ended.status != 0);
  CHECK_THAT(ended.words, ContainsSubstring("byte 0 of a freed block of 256 bytes on device 0"));
}

}  // namespace
