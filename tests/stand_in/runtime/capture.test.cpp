// CUDA Runtime API, Stream Management; CUDA C++ Programming Guide, CUDA Graphs, "Creating a Graph Using
// Stream Capture".
#include "tests/stand_in/runtime/probe.hpp"

#include <catch2/catch_test_macros.hpp>

#include <thread>

namespace {

using namespace stand_in::probe;

cudaError_t end(cudaStream_t stream) {
  cudaGraph_t graph{};
  const auto status = cudaStreamEndCapture(stream, &graph);
  if (graph != nullptr) cudaGraphDestroy(graph);
  cudaGetLastError();
  return status;
}

cudaStreamCaptureStatus status_of(cudaStream_t stream) {
  cudaStreamCaptureStatus status{};
  REQUIRE(cudaStreamIsCapturing(stream, &status) == cudaSuccess);
  return status;
}

/// Whether the call spoils a capture of the mode, and what it returns.
template <class Call>
void check_spoils(cudaStreamCaptureMode mode, cudaError_t expected, const Call& call) {
  const Stream stream;
  REQUIRE(cudaStreamBeginCapture(stream, mode) == cudaSuccess);
  CHECK(call(stream) == expected);
  CHECK(end(stream) == (expected == cudaSuccess ? cudaSuccess : cudaErrorStreamCaptureInvalidated));
}

TEST_CASE("the legacy stream cannot be captured and no stream twice", "[capture]") {
  // cudaStreamBeginCapture: "Capture may not be initiated if stream is cudaStreamLegacy ... and it may only
  // be initiated if the stream is not already in capture mode."
  CHECK(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeRelaxed) == cudaErrorStreamCaptureUnsupported);
  const Stream stream;
  CHECK(end(stream) == cudaErrorIllegalState);
  REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed) == cudaSuccess);
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed) == cudaErrorIllegalState);
  CHECK(end(stream) == cudaSuccess);
}

TEST_CASE("a capture may not be waited for or asked", "[capture]") {
  // "It is invalid to synchronize or query the execution status of a stream which is being captured or a
  // captured event
  // ... It is also invalid to query the execution status of or synchronize a broader handle".
  const auto mode = cudaStreamCaptureModeRelaxed;
  const auto forbidden = cudaErrorStreamCaptureUnsupported;
  check_spoils(mode, forbidden, [](cudaStream_t stream) { return cudaStreamSynchronize(stream); });
  check_spoils(mode, forbidden, [](cudaStream_t stream) { return cudaStreamQuery(stream); });
  check_spoils(mode, forbidden, [](cudaStream_t) { return cudaDeviceSynchronize(); });
  check_spoils(mode, cudaErrorCapturedEvent, [](cudaStream_t stream) {
    const Event event;
    REQUIRE(cudaEventRecord(event, stream) == cudaSuccess);
    return cudaEventQuery(event);
  });
}

TEST_CASE("an unsafe call spoils a capture unless it is a relaxed one", "[capture]") {
  // cudaThreadExchangeStreamCaptureMode: "some actions, such as a call to cudaMalloc, may be unsafe".
  const auto allocate = [](cudaStream_t) {
    void* data = nullptr;
    const auto status = cudaMalloc(&data, 64);
    if (status == cudaSuccess) cudaFree(data);
    return status;
  };
  check_spoils(cudaStreamCaptureModeGlobal, cudaErrorStreamCaptureUnsupported, allocate);
  check_spoils(cudaStreamCaptureModeThreadLocal, cudaErrorStreamCaptureUnsupported, allocate);
  check_spoils(cudaStreamCaptureModeRelaxed, cudaSuccess, allocate);
}

TEST_CASE("another thread's unsafe call spoils a global capture only", "[capture]") {
  // "or if any other thread has a concurrent capture sequence initiated with cudaStreamCaptureModeGlobal,
  // this thread is prohibited"; in its thread-local mode "Concurrent capture sequences in other threads are
  // ignored".
  const auto elsewhere = [](cudaStreamCaptureMode own) {
    return [own](cudaStream_t) {
      auto status = cudaSuccess;
      std::thread([&] {
        auto mode = own;
        cudaThreadExchangeStreamCaptureMode(&mode);
        void* data = nullptr;
        status = cudaMalloc(&data, 64);
      }).join();
      return status;
    };
  };
  const auto global = cudaStreamCaptureModeGlobal;
  const auto local = cudaStreamCaptureModeThreadLocal;
  check_spoils(global, cudaErrorStreamCaptureUnsupported, elsewhere(global));
  check_spoils(global, cudaSuccess, elsewhere(local));
  check_spoils(local, cudaSuccess, elsewhere(global));
}

TEST_CASE("a thread in relaxed mode may make unsafe calls beside its own capture", "[capture]") {
  check_spoils(cudaStreamCaptureModeGlobal, cudaSuccess, [](cudaStream_t) {
    auto mode = cudaStreamCaptureModeRelaxed;
    cudaThreadExchangeStreamCaptureMode(&mode);
    void* data = nullptr;
    const auto status = cudaMalloc(&data, 64);
    cudaFree(data);
    cudaThreadExchangeStreamCaptureMode(&mode);
    return status;
  });
}

TEST_CASE("the legacy stream is unusable while a blocking stream is in capture", "[capture]") {
  // cudaStreamIsCapturing: "When a blocking stream is capturing, the legacy stream is in an unusable state
  // until the blocking stream capture is terminated."
  const Stream blocking(cudaStreamDefault);
  const Memory memory(64);
  REQUIRE(cudaStreamBeginCapture(blocking, cudaStreamCaptureModeRelaxed) == cudaSuccess);
  cudaStreamCaptureStatus status{};
  CHECK(cudaStreamIsCapturing(nullptr, &status) == cudaErrorStreamCaptureImplicit);
  CHECK(status_of(blocking) == cudaStreamCaptureStatusActive);
  CHECK(cudaMemsetAsync(memory.data(), 0, 64, nullptr) == cudaErrorStreamCaptureImplicit);
  CHECK(status_of(blocking) == cudaStreamCaptureStatusInvalidated);
  CHECK(end(blocking) == cudaErrorStreamCaptureInvalidated);
}

TEST_CASE("the legacy stream runs beside the capture of a non-blocking stream", "[capture]") {
  const Stream stream;
  const Memory memory(64);
  REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed) == cudaSuccess);
  CHECK(cudaMemsetAsync(memory.data(), 0, 64, nullptr) == cudaSuccess);
  CHECK(end(stream) == cudaSuccess);
}

TEST_CASE("a capture of a thread ends in that thread", "[capture]") {
  // cudaStreamEndCapture: unless relaxed, "this call must be from the same thread as cudaStreamBeginCapture".
  const Stream stream;
  REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal) == cudaSuccess);
  auto status = cudaSuccess;
  std::thread([&] { status = end(stream); }).join();
  CHECK(status == cudaErrorStreamCaptureWrongThread);
  CHECK(end(stream) == cudaSuccess);
}

TEST_CASE("a stream that joined a capture must be joined back", "[capture]") {
  // cudaErrorStreamCaptureUnjoined: "The capture sequence contains a fork that was not joined to the primary
  // stream."
  const Stream origin;
  const Stream fork;
  const Event forked;
  const Event joined;
  const Memory memory(64);
  for (const bool joins : {false, true}) {
    REQUIRE(cudaStreamBeginCapture(origin, cudaStreamCaptureModeThreadLocal) == cudaSuccess);
    REQUIRE(cudaEventRecord(forked, origin) == cudaSuccess);
    REQUIRE(cudaStreamWaitEvent(fork, forked, 0) == cudaSuccess);
    CHECK(status_of(fork) == cudaStreamCaptureStatusActive);
    REQUIRE(cudaMemsetAsync(memory.data(), 1, 64, fork) == cudaSuccess);
    REQUIRE(cudaEventRecord(joined, fork) == cudaSuccess);
    if (joins) REQUIRE(cudaStreamWaitEvent(origin, joined, 0) == cudaSuccess);
    CHECK(end(origin) == (joins ? cudaSuccess : cudaErrorStreamCaptureUnjoined));
    CHECK(status_of(fork) == cudaStreamCaptureStatusNone);
  }
}

TEST_CASE("a capture depends on nothing outside of it", "[capture]") {
  // "It is invalid to wait on a non-captured event from a stream which is being captured without specifying
  // the cudaEventWaitExternal flag."
  const Stream other;
  const Event event;
  REQUIRE(cudaEventRecord(event, other) == cudaSuccess);
  check_spoils(cudaStreamCaptureModeRelaxed, cudaErrorStreamCaptureIsolation,
               [&](cudaStream_t stream) { return cudaStreamWaitEvent(stream, event, 0); });
}

TEST_CASE("two captures cannot become one", "[capture]") {
  // "It is invalid to merge two separate capture graphs by waiting on a captured event from a stream which is
  // being captured and is associated with a different capture graph than the event."
  const Stream first;
  const Stream second;
  const Event event;
  REQUIRE(cudaStreamBeginCapture(first, cudaStreamCaptureModeRelaxed) == cudaSuccess);
  REQUIRE(cudaStreamBeginCapture(second, cudaStreamCaptureModeRelaxed) == cudaSuccess);
  REQUIRE(cudaEventRecord(event, first) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(second, event, 0) == cudaErrorStreamCaptureMerge);
  CHECK(end(first) == cudaErrorStreamCaptureInvalidated);
  CHECK(end(second) == cudaErrorStreamCaptureInvalidated);
}

TEST_CASE("a copy from pageable memory is refused in a capture", "[capture]") {
  const Memory memory(64);
  const char byte = 1;
  check_spoils(cudaStreamCaptureModeRelaxed, cudaErrorStreamCaptureUnsupported, [&](cudaStream_t stream) {
    return cudaMemcpyAsync(memory.data(), &byte, 1, cudaMemcpyHostToDevice, stream);
  });
}

TEST_CASE("a capture that was spoilt takes no more work", "[capture]") {
  const Stream stream;
  const Memory memory(64);
  REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed) == cudaSuccess);
  cudaStreamSynchronize(stream);
  CHECK(cudaMemsetAsync(memory.data(), 0, 64, stream) == cudaErrorStreamCaptureInvalidated);
  CHECK(end(stream) == cudaErrorStreamCaptureInvalidated);
  CHECK(cudaMemsetAsync(memory.data(), 0, 64, stream) == cudaSuccess);
}

}  // namespace
