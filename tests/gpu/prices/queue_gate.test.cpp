#include "prices/queue_gate.hpp"

#include "tests/gpu/require_device.hpp"

#include "harness/cuda/stream.hpp"

#include "prices/price_kernels.hpp"

#include <catch2/catch_message.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <chrono>
#include <stdexcept>
#include <thread>

namespace {

using namespace harness;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("no work behind the gate begins before all is queued", "[gpu][prices]") {
  const auto device = require_device();
  const Stream stream;
  prices::QueueGate gate(stream);
  const Event reached;
  auto state = cudaSuccess;
  const double seconds = gate.seconds([&] {
    reached.record(stream);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    state = cudaEventQuery(reached.get());
    cudaGetLastError();  // "not ready" stays behind, and the next launch would be blamed for it
  });
  INFO(cudaGetErrorName(state));
  CHECK(state == cudaErrorNotReady);
  if (has_times(device)) CHECK(seconds < 0.02);  // the 20 ms lie before the start
}

TEST_CASE("a gate opens when queueing fails", "[gpu][prices]") {
  require_device();
  const Stream stream;
  prices::QueueGate gate(stream);
  CHECK_THROWS_WITH(gate.seconds([] { throw std::runtime_error("no"); }), "no");
  stream.synchronize();
  check(prices::queue_empty(stream.get()));  // CUDA may load it now, and could not behind the gate
  stream.synchronize();
  CHECK(gate.seconds([&] { check(prices::queue_empty(stream.get())); }) >= 0);
}

TEST_CASE("a device that waited in vain says so", "[gpu][prices]") {
  require_device();
  const Stream stream;
  prices::QueueGate gate(stream);
  CHECK_THROWS_WITH(gate.seconds([] { std::this_thread::sleep_for(std::chrono::milliseconds(2500)); }),
                    ContainsSubstring("the device waited 2 s"));
}

}  // namespace
