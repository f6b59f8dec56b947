// What is undefined in CUDA, and what the stand-in makes of it: a death with a sentence, or NaN.
#include "tests/stand_in/runtime/probe.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <bit>
#include <cmath>

namespace {

using namespace stand_in::probe;
using Catch::Matchers::ContainsSubstring;

constexpr std::size_t three = 3 * sizeof(float);

/// The block where work finds it.
template <class Number = float>
volatile Number* at_work(const void* block) {
  return static_cast<volatile Number*>(stand_in::work_side(block));
}

void* freed_pinned() {
  void* data = nullptr;
  cudaMallocHost(&data, 1000);
  cudaFreeHost(data);
  return data;
}

/// The test must die with the words.
void check_death(const char* test, const char* words) {
  const auto ended = run_alone(test);
  CHECK(ended.status != 0);
  CHECK_THAT(ended.words, ContainsSubstring(words));
}

TEST_CASE("a kernel that reads one element past its block gets no number", "[misuse]") {
  const Memory memory(three);
  float seen = 0;
  launch(nullptr, [at = at_work(memory.data()), &seen] { seen = at[3]; });
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(std::isnan(seen));
}

TEST_CASE("alone: a kernel writes one element past its block", "[.alone]") {
  const Memory memory(three);
  launch(nullptr, [at = at_work(memory.data())] { at[3] = at[3] + 1; });
}

TEST_CASE("alone: a kernel writes one element before its block", "[.alone]") {
  const Memory memory(three);
  launch(nullptr, [at = at_work(memory.data())] { at[-1] = 1; });
}

TEST_CASE("alone: a kernel writes one element past page-locked memory", "[.alone]") {
  const Pinned pinned(three);
  launch(nullptr, [at = at_work(pinned.data())] { at[3] = 1; });
}

TEST_CASE("a write past a block or before it is found when the block is freed", "[misuse][death]") {
  const auto past = "stand-in: work wrote past the end of a block of 12 bytes";
  check_death("alone: a kernel writes one element past its block", past);
  check_death("alone: a kernel writes one element past page-locked memory", past);
  check_death("alone: a kernel writes one element before its block",
              "stand-in: work wrote before the begin of a block of 12 bytes");
}

TEST_CASE("alone: freed page-locked memory is copied", "[.alone]") {
  const Memory memory(1000);
  cudaMemcpyAsync(memory.data(), freed_pinned(), 1000, cudaMemcpyHostToDevice, nullptr);
  cudaDeviceSynchronize();
}

TEST_CASE("alone: a kernel writes to page-locked memory that was freed", "[.alone]") {
  void* data = nullptr;
  cudaMallocHost(&data, 1000);
  auto* const at = at_work(data);
  cudaFreeHost(data);
  launch(nullptr, [at] { at[1] = 1; });
  cudaDeviceSynchronize();
}

TEST_CASE("page-locked memory that was freed is refused, whoever has been given some since",
          "[misuse][death]") {
  void* const freed = freed_pinned();
  const Pinned later(1000);
  CHECK(later.data() != freed);
  CHECK_THROWS_WITH(stand_in::work_side(freed),
                    ContainsSubstring("byte 0 of a freed block of 1000 bytes of page-locked memory"));
  check_death("alone: freed page-locked memory is copied",
              "byte 0 of a freed block of 1000 bytes of page-locked memory");
  check_death("alone: a kernel writes to page-locked memory that was freed",
              "byte 4 of a freed block of 1000 bytes of page-locked memory");
}

TEST_CASE("alone: a kernel reads from nowhere", "[.alone]") {
  static volatile std::uintptr_t nowhere = 8;  // read at run time: the compiler warns of a constant
  launch(nullptr, [] { static_cast<void>(*reinterpret_cast<volatile char*>(nowhere)); });
  cudaDeviceSynchronize();
}

TEST_CASE("alone: a kernel follows an address of the device that it found in memory", "[.alone]") {
  const Memory memory(1000);
  launch(nullptr, [at = memory.data()] { static_cast<void>(*static_cast<volatile char*>(at)); });
  cudaDeviceSynchronize();
}

TEST_CASE("a kernel that touches what is not memory of its device is named", "[misuse][death]") {
  check_death("alone: a kernel reads from nowhere",
              "stand-in: kernel touched 0x8, where no memory of the device is");
  check_death("alone: a kernel follows an address of the device that it found in memory",
              "by an address that it found in memory");
}

TEST_CASE("a copy whose pointers do not match its direction is refused", "[misuse]") {
  // cudaMemcpyAsync: "Calling cudaMemcpyAsync() with dst and src pointers that do not match the direction of
  // the copy results in an undefined behavior." Page-locked memory is reached from both sides.
  const Memory memory(64);
  const Pinned pinned(64);
  char pageable[64] = {};
  CHECK(cudaMemcpy(pageable, memory.data(), 64, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(memory.data(), pageable, 64, cudaMemcpyDeviceToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(pinned.data(), memory.data(), 64, cudaMemcpyHostToHost) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(pinned.data(), memory.data(), 64, cudaMemcpyDeviceToDevice) == cudaSuccess);
  CHECK(cudaMemcpy(pageable, memory.data(), 64, cudaMemcpyDefault) == cudaSuccess);
  CHECK(cudaMemcpy(pageable, memory.data(), 64, std::bit_cast<cudaMemcpyKind>(17)) ==
        cudaErrorInvalidMemcpyDirection);
  cudaGetLastError();
}

}  // namespace
