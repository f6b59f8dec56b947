// CUDA Runtime API, "Stream synchronization behavior", and Stream Management.
#include "tests/stand_in/runtime/probe.hpp"

#include <catch2/catch_test_macros.hpp>

#include <atomic>
#include <thread>

namespace {

using namespace stand_in::probe;

TEST_CASE("a launch only queues", "[streams]") {
  const Stream stream;
  Gate gate;
  CHECK(launch(stream, gate.waiting()) == cudaSuccess);
  CHECK(cudaStreamQuery(stream) == cudaErrorNotReady);
  gate.open();
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(cudaStreamQuery(stream) == cudaSuccess);
  cudaGetLastError();
}

TEST_CASE("the legacy stream waits for blocking streams and they for it", "[streams]") {
  // "The legacy default stream is an implicit stream which synchronizes with all other streams in the same
  // CUcontext except for non-blocking streams": it waits for all of them, and all of them wait for it.
  const Stream blocking(cudaStreamDefault);
  Gate gate;
  std::atomic<int> ran = 0;
  launch(blocking, gate.waiting());
  launch(cudaStreamLegacy, [&] { ran = ran * 10 + 1; });
  launch(blocking, [&] { ran = ran * 10 + 2; });
  CHECK(cudaStreamQuery(cudaStreamLegacy) == cudaErrorNotReady);
  CHECK(ran == 0);
  gate.open();
  CHECK(cudaStreamSynchronize(blocking) == cudaSuccess);
  CHECK(ran == 12);
  cudaGetLastError();
}

TEST_CASE("a non-blocking stream does not wait for the legacy stream", "[streams]") {
  // cudaStreamNonBlocking: work "may run concurrently with work in stream 0 (the NULL stream)".
  const Stream stream;
  Gate gate;
  bool ran = false;
  launch(nullptr, gate.waiting());
  launch(stream, [&] { ran = true; });
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(ran);
  gate.open();
  CHECK(cudaStreamSynchronize(nullptr) == cudaSuccess);
}

TEST_CASE("the per-thread stream is each thread's own and a blocking one", "[streams]") {
  // "The per-thread default stream is an implicit stream local to both the thread and the CUcontext, and
  // which does not synchronize with other streams"; it "is not a non-blocking stream and will synchronize
  // with the legacy default stream".
  Gate gate;
  launch(cudaStreamPerThread, gate.waiting());
  auto elsewhere = cudaErrorUnknown;
  std::thread([&] {
    launch(cudaStreamPerThread, [] {});
    elsewhere = cudaStreamSynchronize(cudaStreamPerThread);
  }).join();
  CHECK(elsewhere == cudaSuccess);
  launch(cudaStreamLegacy, [] {});
  CHECK(cudaStreamQuery(cudaStreamLegacy) == cudaErrorNotReady);
  gate.open();
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  cudaGetLastError();
}

TEST_CASE("a stream that is destroyed ends its work first and the call returns at once", "[streams]") {
  // cudaStreamDestroy: "In case the device is still doing work in the stream ... the function will return
  // immediately".
  cudaStream_t stream{};
  REQUIRE(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess);
  Gate gate;
  bool ran = false;
  launch(stream, gate.waiting());
  launch(stream, [&] { ran = true; });
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
  CHECK(launch(stream, [] {}) == cudaErrorInvalidResourceHandle);
  gate.open();
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(ran);
  cudaGetLastError();
}

TEST_CASE("flags and priorities of a stream can be read back", "[streams]") {
  cudaStream_t stream{};
  REQUIRE(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -100) == cudaSuccess);
  unsigned flags = 0;
  int priority = 0;
  int least = 0;
  int greatest = 0;
  CHECK(cudaStreamGetFlags(stream, &flags) == cudaSuccess);
  CHECK(cudaStreamGetPriority(stream, &priority) == cudaSuccess);
  CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest) == cudaSuccess);
  CHECK(flags == cudaStreamNonBlocking);
  CHECK(priority == greatest);  // outside of the range "the priority is automatically clamped"
  cudaStreamDestroy(stream);
}

TEST_CASE("an access window larger than the device allows is refused", "[streams]") {
  int most = 0;
  REQUIRE(cudaDeviceGetAttribute(&most, cudaDevAttrMaxAccessPolicyWindowSize, 0) == cudaSuccess);
  cudaStreamAttrValue value{};
  value.accessPolicyWindow.num_bytes = static_cast<std::size_t>(most);
  CHECK(cudaStreamSetAttribute(nullptr, cudaStreamAttributeAccessPolicyWindow, &value) == cudaSuccess);
  value.accessPolicyWindow.num_bytes += 1;
  CHECK(cudaStreamSetAttribute(nullptr, cudaStreamAttributeAccessPolicyWindow, &value) ==
        cudaErrorInvalidValue);
}

TEST_CASE("a host function runs in its stream's order and may not call CUDA", "[streams]") {
  // cudaLaunchHostFunc: "The host function must not make any CUDA API calls. Attempting to use a CUDA API may
  // result in cudaErrorNotPermitted".
  const Stream stream;
  auto status = cudaSuccess;
  const auto call = [](void* out) {
    int device = 0;
    *static_cast<cudaError_t*>(out) = cudaGetDevice(&device);
  };
  CHECK(cudaLaunchHostFunc(stream, call, &status) == cudaSuccess);
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(status == cudaErrorNotPermitted);
}

}  // namespace
