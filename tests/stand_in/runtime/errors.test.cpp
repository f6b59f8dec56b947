// CUDA Runtime API, Error Handling, and the descriptions of cudaError_t.
#include "tests/stand_in/runtime/probe.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <stdexcept>
#include <string>
#include <thread>
#include <unistd.h>

namespace {

using namespace stand_in::probe;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("the error of a call is kept for its thread until it is read", "[errors]") {
  // cudaGetLastError: "Returns the last error that has been produced by any of the runtime calls ... in the
  // same host thread and resets it to cudaSuccess"; cudaPeekAtLastError "does not reset the error".
  void* data = nullptr;
  CHECK(cudaMalloc(&data, std::size_t{1} << 50) == cudaErrorMemoryAllocation);
  auto elsewhere = cudaErrorUnknown;
  std::thread([&] { elsewhere = cudaGetLastError(); }).join();
  CHECK(elsewhere == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(cudaPeekAtLastError() == cudaErrorMemoryAllocation);
  CHECK(cudaGetLastError() == cudaErrorMemoryAllocation);
  CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("errors have the names of CUDA's header", "[errors]") {
  CHECK(std::string(cudaGetErrorName(cudaErrorMemoryAllocation)) == "cudaErrorMemoryAllocation");
  CHECK(std::string(cudaGetErrorString(cudaErrorMemoryAllocation)) == "out of memory");
  CHECK(std::string(cudaGetErrorName(static_cast<cudaError_t>(12345))) == "unrecognized error code");
}

TEST_CASE("what is not implemented says so and fails", "[errors]") {
  cudaArray_t array{};
  CHECK(cudaFreeArray(array) == cudaErrorNotSupported);
  cudaGetLastError();
}

TEST_CASE("alone: a kernel gets pageable memory", "[.alone]") {
  const Stream stream;
  int pageable = 0;
  launch(stream, [&] { stand_in::work_side(&pageable); });
  CHECK(cudaStreamSynchronize(stream) == cudaErrorIllegalAddress);
  CHECK(cudaGetLastError() == cudaErrorIllegalAddress);
  CHECK(cudaGetLastError() == cudaErrorIllegalAddress);
  void* data = nullptr;
  CHECK(cudaMalloc(&data, 64) == cudaErrorIllegalAddress);
  CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  bool ran = false;
  launch(stream, [&] { ran = true; });
  cudaStreamSynchronize(stream);
  CHECK_FALSE(ran);
  int device = -1;
  CHECK(cudaGetDevice(&device) == cudaSuccess);
}

TEST_CASE("alone: work throws while an event is waited for", "[.alone]") {
  const Stream stream;
  const Stream waits;
  const Event event;
  launch(stream, [] { throw std::runtime_error("index out of range"); });
  cudaEventRecord(event, stream);
  cudaStreamWaitEvent(waits, event, 0);
  CHECK(cudaEventSynchronize(event) == cudaErrorLaunchFailure);
  CHECK(cudaStreamSynchronize(waits) == cudaErrorLaunchFailure);
}

TEST_CASE("alone: a process forks behind its first use of CUDA", "[.alone]") {
  int count = 0;
  REQUIRE(cudaGetDeviceCount(&count) == cudaSuccess);
  const auto child = fork();
  if (child == 0) _exit(cudaGetDeviceCount(&count) == cudaErrorInitializationError ? 0 : 1);
  int status = -1;
  waitpid(child, &status, 0);
  CHECK(status == 0);
}

TEST_CASE("the error of a kernel sticks until the process ends", "[errors][death]") {
  // cudaErrorIllegalAddress: "This leaves the process in an inconsistent state and any further CUDA work will
  // return the same error. To continue using CUDA, the process must be terminated and relaunched."
  const auto ended = run_alone("alone: a kernel gets pageable memory");
  INFO(ended.words);
  CHECK(ended.status == 0);
  CHECK_THAT(ended.words,
             ContainsSubstring("the device fails with cudaErrorIllegalAddress: kernel: pageable"));
}

TEST_CASE("what waits for failed work does not wait for ever", "[errors][death]") {
  const auto ended = run_alone("alone: work throws while an event is waited for");
  INFO(ended.words);
  CHECK(ended.status == 0);
  CHECK_THAT(ended.words, ContainsSubstring("index out of range"));
}

TEST_CASE("CUDA does not survive a fork", "[errors][death]") {
  CHECK(run_alone("alone: a process forks behind its first use of CUDA").status == 0);
}

}  // namespace
