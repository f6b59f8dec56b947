#include "harness/trace/device_time.hpp"

#include "tests/harness/trace/made_up.hpp"

#include <catch2/catch_test_macros.hpp>

#include <tuple>

namespace {

using namespace harness;
using namespace harness::trace;
using namespace tests;

DeviceTime only_device(const Trace& trace) {
  const auto devices = device_time(trace);
  REQUIRE(devices.size() == 1);
  return devices[0];
}

Made nccl(double ts, double dur, int stream) {
  return on_stream("kernel", "ncclDevKernel_AllReduce_Sum_f32", ts, dur, 90, stream);
}
Made copy(const std::string& route, double ts, double dur, int stream) {
  return on_stream("gpu_memcpy", "Memcpy " + route, ts, dur, 91, stream);
}

TEST_CASE("busy time is the union over streams, by kind", "[trace]") {
  const DeviceTime time = only_device(
      trace_of({kernel(0, 10, 1, 7), kernel(5, 10, 2, 8), nccl(12, 8, 20), copy("DtoD", 30, 10, 7)}));
  CHECK(time.span_us == 40);
  CHECK(time.compute_us == 15);
  CHECK(time.communication_us == 8);
  CHECK(time.memory_us == 10);
  CHECK(time.idle_us == 10);
  CHECK(time.non_compute_us == 15);
  CHECK(time.compute_and_communication_us == 3);
  CHECK(time.compute_and_memory_us == 0);
  CHECK(time.kernel_resident_us == 20);
  CHECK(time.kernels == 3);
}

TEST_CASE("a gap whose work was launched after it began waits for the host", "[trace]") {
  const DeviceTime time =
      only_device(trace_of({kernel(0, 10, 1), call("launch", 12, 2, 2), kernel(50, 5, 2)}));
  CHECK(time.streams.at(0).idle.host_wait_us == 40);
  CHECK(time.streams.at(0).busy_us == 15);
}

TEST_CASE("a gap below 30 us whose work was launched before it began lies between kernels", "[trace]") {
  const DeviceTime time =
      only_device(trace_of({kernel(0, 10, 1), call("launch", 2, 2, 2), kernel(39.999, 5, 2)}));
  CHECK(time.streams.at(0).idle.kernel_wait_us > 29.9);
  CHECK(time.streams.at(0).idle.host_wait_us == 0);
}

TEST_CASE("a gap from 30 us on whose work had been launched has another cause", "[trace]") {
  const DeviceTime time =
      only_device(trace_of({kernel(0, 10, 1), call("launch", 2, 2, 2), kernel(40, 5, 2)}));
  CHECK(time.streams.at(0).idle.other_us == 30);
}

TEST_CASE("work launched at the very end of the last one does not wait for the host", "[trace]") {
  const DeviceTime time =
      only_device(trace_of({kernel(0, 10, 1), call("launch", 10, 2, 2), kernel(15, 5, 2)}));
  CHECK(time.streams.at(0).idle.kernel_wait_us == 5);
}

TEST_CASE("streams have gaps of their own", "[trace]") {
  const DeviceTime time = only_device(
      trace_of({kernel(0, 10, 1, 7), kernel(0, 2, 2, 8), kernel(10, 5, 3, 7), kernel(10, 5, 4, 8)}));
  CHECK(time.idle_us == 0);
  CHECK(time.streams.at(0).idle.kernel_wait_us == 0);
  CHECK(time.streams.at(1).idle.kernel_wait_us == 8);
}

TEST_CASE("a wait of the host lengthens no device's span", "[trace]") {
  for (const auto& [name, begin, us] :
       {std::tuple{"Context Sync", 20.0, 30.0}, std::tuple{"Stream Sync", 5.0, 500.0},
        std::tuple{"Event Sync", -40.0, 45.0}}) {
    INFO(name);
    const DeviceTime time = only_device(
        trace_of({kernel(0, 10, 1), {"cuda_sync", name, begin, us, R"("device": 0, "stream": 4294967295)"}}));
    CHECK(time.span_us == 10);
    CHECK(time.idle_us == 0);
  }
}

TEST_CASE("copies are summed by direction and host memory, with the time of their calls", "[trace]") {
  const std::string at = R"("device": 0, "stream": 7, "bytes": 100, "correlation": )";
  const DeviceTime time =
      only_device(trace_of({{"gpu_memcpy", "Memcpy HtoD (Pageable -> Device)", 5, 2, at + "1"},
                            {"gpu_memcpy", "Memcpy HtoD (Pageable -> Device)", 15, 3, at + "2"},
                            {"gpu_memcpy", "Memcpy DtoH (Device -> Pinned)", 25, 4, at + "3"},
                            call("cudaMemcpyAsync", 0, 8, 1)}));
  REQUIRE(time.copies.size() == 2);
  CHECK(time.copies[0].direction == Direction::host_to_device);
  CHECK(time.copies[0].count == 2);
  CHECK(time.copies[0].bytes == 200);
  CHECK(time.copies[0].us == 5);
  CHECK(time.copies[0].waiting_us == 8);
  CHECK(time.copies[1].host_memory == HostMemory::pinned);
}

TEST_CASE("a copy without a size has the size of its call", "[trace]") {
  const DeviceTime time = only_device(
      trace_of({on_stream("gpu_memcpy", "Memcpy HtoD (Host -> Device)", 5, 2, 1),
                {"cuda_runtime", "hipMemcpyWithStream", 0, 9, R"("correlation": 1, "size": "2560")"}}));
  CHECK(time.copies.at(0).bytes == 2560);
}

TEST_CASE("the share of multiprocessors is weighted by time and capped at all of them", "[trace]") {
  const std::string half = R"("device": 0, "stream": 7, "blocks per SM": 0.5)";
  const std::string many = R"("device": 0, "stream": 7, "blocks per SM": 12.0)";
  CHECK(only_device(trace_of({{"kernel", "a", 0, 30, half}, {"kernel", "b", 30, 10, many}})).sm_share ==
        0.625);
  CHECK(only_device(trace_of({kernel(0, 1, 1)})).sm_share < 0);
}

TEST_CASE("each device is a row, and a trace without one has none", "[trace]") {
  const Trace two = trace_of({{"kernel", "a", 0, 1, R"("device": 0, "stream": 7)"},
                              {"kernel", "a", 0, 1, R"("device": 3, "stream": 7)"}});
  const auto devices = device_time(two);
  REQUIRE(devices.size() == 2);
  CHECK(devices[1].device == 3);
  const Trace none = trace_of({op("f", 0, 1)});
  CHECK(device_time(none).empty());
}

}  // namespace
