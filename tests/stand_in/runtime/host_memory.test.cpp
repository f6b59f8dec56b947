#include "tests/stand_in/runtime/probe.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <cstring>
#include <sys/mman.h>
#include <vector>

namespace {

using namespace stand_in::probe;

cudaPointerAttributes attributes_of(const void* p) {
  cudaPointerAttributes attributes{};
  REQUIRE(cudaPointerGetAttributes(&attributes, p) == cudaSuccess);
  return attributes;
}

TEST_CASE("a pointer's attributes say what it is", "[host_memory]") {
  // CUDA Runtime API, Unified Addressing, cudaPointerGetAttributes: unregistered host memory has the type
  // cudaMemoryTypeUnregistered; devicePointer is null where the device has no access, hostPointer where the
  // host has none.
  const Memory memory(64);
  const Pinned pinned(64);
  int pageable = 0;
  void* managed = nullptr;
  REQUIRE(cudaMallocManaged(&managed, 64) == cudaSuccess);
  CHECK(attributes_of(memory.data() + 10).type == cudaMemoryTypeDevice);
  CHECK(attributes_of(memory.data()).hostPointer == nullptr);
  CHECK(attributes_of(pinned.data()).type == cudaMemoryTypeHost);
  CHECK(attributes_of(pinned.data()).devicePointer == pinned.data());
  CHECK(attributes_of(managed).type == cudaMemoryTypeManaged);
  CHECK(attributes_of(&pageable).type == cudaMemoryTypeUnregistered);
  CHECK(attributes_of(&pageable).devicePointer == nullptr);
  cudaFree(managed);
}

TEST_CASE("mapped and write-combined memory is what its flags say and is reached by its own address",
          "[host_memory]") {
  // Memory Management, cudaHostAlloc and cudaHostGetFlags; Unified Addressing: all host memory from
  // cudaMallocHost and cudaHostAlloc is directly accessible from all devices.
  void* data = nullptr;
  REQUIRE(cudaHostAlloc(&data, 64, cudaHostAllocMapped | cudaHostAllocWriteCombined) == cudaSuccess);
  unsigned flags = 0;
  CHECK(cudaHostGetFlags(&flags, data) == cudaSuccess);
  CHECK((flags & cudaHostAllocWriteCombined) != 0);
  void* there = nullptr;
  CHECK(cudaHostGetDevicePointer(&there, data, 0) == cudaSuccess);
  CHECK(there == data);
  CHECK(stand_in::work_side(data) == data);
  CHECK(cudaFreeHost(data) == cudaSuccess);
}

TEST_CASE("memory is registered once and is pageable again behind that", "[host_memory]") {
  // cudaHostRegister returns cudaErrorHostMemoryAlreadyRegistered, cudaHostUnregister
  // cudaErrorHostMemoryNotRegistered.
  std::vector<char> bytes(4096);
  CHECK(cudaHostRegister(bytes.data(), bytes.size(), cudaHostRegisterDefault) == cudaSuccess);
  CHECK(cudaHostRegister(bytes.data() + 8, 8, cudaHostRegisterDefault) ==
        cudaErrorHostMemoryAlreadyRegistered);
  CHECK(attributes_of(bytes.data()).type == cudaMemoryTypeHost);
  CHECK(cudaHostUnregister(bytes.data()) == cudaSuccess);
  CHECK(cudaHostUnregister(bytes.data()) == cudaErrorHostMemoryNotRegistered);
  CHECK(attributes_of(bytes.data()).type == cudaMemoryTypeUnregistered);
  cudaGetLastError();
}

TEST_CASE("managed memory is the host's and the device's, and only it can be prefetched", "[host_memory]") {
  // cudaMemPrefetchAsync: devPtr must refer to managed memory.
  void* data = nullptr;
  REQUIRE(cudaMallocManaged(&data, 64) == cudaSuccess);
  std::memset(data, 1, 64);
  REQUIRE(cudaMemset(data, 2, 64) == cudaSuccess);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(*static_cast<char*>(data) == 2);
  const cudaMemLocation device{.type = cudaMemLocationTypeDevice, .id = 0};
  CHECK(cudaMemPrefetchAsync(data, 64, device, 0, nullptr) == cudaSuccess);
  CHECK(cudaMemAdvise(data, 64, cudaMemAdviseSetReadMostly, device) == cudaSuccess);
  const Memory memory(64);
  CHECK(cudaMemPrefetchAsync(memory.data(), 64, device, 0, nullptr) == cudaErrorInvalidValue);
  cudaGetLastError();
  cudaFree(data);
}

TEST_CASE("pageable memory is refused where a device needs what it can reach", "[host_memory]") {
  int pageable = 0;
  CHECK_THROWS_AS(stand_in::work_side(&pageable), stand_in::HostPointer);
  CHECK(cudaMemset(&pageable, 0, sizeof pageable) == cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST_CASE("a struct of arguments gets the addresses that work can use", "[host_memory]") {
  struct Arguments {
    void* on_device;
    std::int64_t count;
    const void* pinned;
  };
  const Memory memory(64);
  const Pinned pinned(64);
  Arguments arguments{memory.data(), 72'000, pinned.data()};
  stand_in::translate(&arguments, sizeof arguments);
  CHECK(arguments.on_device == stand_in::work_side(memory.data()));
  CHECK(arguments.on_device != memory.data());
  CHECK(arguments.count == 72'000);
  CHECK(arguments.pinned == pinned.data());
  arguments.pinned = &arguments;
  CHECK_THROWS_AS(stand_in::translate(&arguments, sizeof arguments), stand_in::HostPointer);
}

TEST_CASE("a small int with anything behind it is not taken for the address of host memory",
          "[host_memory]") {
  constexpr std::size_t page = 4096;
  // The first page behind 4 GiB, 8 GiB, ... that is free.
  void* mapped = MAP_FAILED;
  for (std::uintptr_t at = std::uintptr_t{1} << 40; mapped == MAP_FAILED; at += std::uintptr_t{1} << 32)
    mapped = mmap(reinterpret_cast<void*>(at), page, PROT_READ,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  const auto word = reinterpret_cast<std::uintptr_t>(mapped) + 512;
  auto arguments = word;
  CHECK_NOTHROW(stand_in::translate(&arguments, sizeof arguments));
  CHECK(arguments == word);
  munmap(mapped, page);
}

}  // namespace
