// CUDA Runtime API, Event Management.
#include "tests/stand_in/runtime/probe.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

using namespace stand_in::probe;

TEST_CASE("an event that was never recorded stands for no work", "[events]") {
  // cudaEventRecord: "Before the first call to cudaEventRecord(), an event represents an empty set of work".
  const Event event;
  const Stream stream;
  CHECK(cudaEventQuery(event) == cudaSuccess);
  CHECK(cudaEventSynchronize(event) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(stream, event, 0) == cudaSuccess);
}

TEST_CASE("an event stands for the work before it and not for the work behind it", "[events]") {
  const Event event;
  const Stream stream;
  Gate before;
  Gate behind;
  launch(stream, before.waiting());
  REQUIRE(cudaEventRecord(event, stream) == cudaSuccess);
  launch(stream, behind.waiting());
  CHECK(cudaEventQuery(event) == cudaErrorNotReady);
  before.open();
  CHECK(cudaEventSynchronize(event) == cudaSuccess);
  CHECK(cudaEventQuery(event) == cudaSuccess);
  CHECK(cudaStreamQuery(stream) == cudaErrorNotReady);
  cudaGetLastError();
}

TEST_CASE("a stream that waits for an event goes on behind its work", "[events]") {
  // cudaStreamWaitEvent: "Makes all future work submitted to stream wait for all work captured in event".
  const Event event;
  const Stream producer;
  const Stream consumer;
  Gate gate;
  bool produced = false;
  bool seen = false;
  launch(producer, gate.waiting());
  launch(producer, [&] { produced = true; });
  REQUIRE(cudaEventRecord(event, producer) == cudaSuccess);
  REQUIRE(cudaStreamWaitEvent(consumer, event, 0) == cudaSuccess);
  launch(consumer, [&] { seen = produced; });
  CHECK(cudaStreamQuery(consumer) == cudaErrorNotReady);
  gate.open();
  REQUIRE(cudaStreamSynchronize(consumer) == cudaSuccess);
  CHECK(seen);
  cudaGetLastError();
}

TEST_CASE("a wait means the recording that was the latest when it was called", "[events]") {
  // cudaEventRecord: other calls "use the most recently captured state at the time of the API call, and are
  // not affected by later calls to cudaEventRecord()".
  const Event event;
  const Stream first;
  const Stream second;
  const Stream waits;
  Gate gate;
  REQUIRE(cudaEventRecord(event, first) == cudaSuccess);
  REQUIRE(cudaStreamWaitEvent(waits, event, 0) == cudaSuccess);
  launch(second, gate.waiting());
  REQUIRE(cudaEventRecord(event, second) == cudaSuccess);
  CHECK(cudaStreamSynchronize(waits) == cudaSuccess);
  CHECK(cudaEventQuery(event) == cudaErrorNotReady);
  gate.open();
  CHECK(cudaEventSynchronize(event) == cudaSuccess);
  cudaGetLastError();
}

TEST_CASE("time lies between two events that were recorded, have ended and measure time", "[events]") {
  // cudaEventElapsedTime: cudaErrorInvalidResourceHandle without a recording or with cudaEventDisableTiming,
  // cudaErrorNotReady while one of them has not been completed.
  const Stream stream;
  const Event start;
  const Event stop;
  const Event untimed(cudaEventDisableTiming);
  float milliseconds = -1;
  CHECK(cudaEventElapsedTime(&milliseconds, start, stop) == cudaErrorInvalidResourceHandle);
  REQUIRE(cudaEventRecord(start, stream) == cudaSuccess);
  Gate gate;
  launch(stream, gate.waiting());
  REQUIRE(cudaEventRecord(stop, stream) == cudaSuccess);
  REQUIRE(cudaEventRecord(untimed, stream) == cudaSuccess);
  CHECK(cudaEventElapsedTime(&milliseconds, start, stop) == cudaErrorNotReady);
  gate.open();
  REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(cudaEventElapsedTime(&milliseconds, start, stop) == cudaSuccess);
  CHECK(milliseconds >= 0);
  CHECK(cudaEventElapsedTime(&milliseconds, start, untimed) == cudaErrorInvalidResourceHandle);
  cudaGetLastError();
}

TEST_CASE("the runtime refuses an event that was destroyed", "[events]") {
  cudaEvent_t event{};
  REQUIRE(cudaEventCreate(&event) == cudaSuccess);
  CHECK(cudaEventDestroy(event) == cudaSuccess);
  CHECK(cudaEventDestroy(event) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventQuery(event) == cudaErrorInvalidResourceHandle);
  cudaGetLastError();
}

}  // namespace
