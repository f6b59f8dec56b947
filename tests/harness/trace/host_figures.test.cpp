#include "harness/trace/host_figures.hpp"

#include "tests/harness/trace/made_up.hpp"
#include "tests/harness/trace/story.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

using namespace harness;
using namespace harness::trace;
using namespace tests;

HostTime host(const Trace& trace) { return host_time(trace); }

TEST_CASE("launches are pairs of call and work; the delay runs from the end of the call", "[trace]") {
  const Launches launches = host(trace_of({call("launch", 0, 2, 1), kernel(5, 1, 1), call("launch", 6, 4, 2),
                                           kernel(8, 1, 2), call("cudaMalloc", 20, 2, 3), kernel(30, 1, 4)}))
                                .launches;
  CHECK(launches.count == 2);
  CHECK(launches.call_us == 3);
  CHECK(launches.delay_us_median == 1.5);
  CHECK(launches.delay_us_max == 3);
}

TEST_CASE("a graph launch is one launch of many kernels", "[trace]") {
  CHECK(host(trace_of({call("cudaGraphLaunch", 0, 2, 1), kernel(5, 1, 1), kernel(6, 1, 1)})).launches.count ==
        1);
}

TEST_CASE("the queue grows with each call and shrinks as its work begins", "[trace]") {
  const auto queues =
      host(trace_of({call("launch", 0, 1, 1), call("launch", 2, 1, 2), call("launch", 4, 1, 3),
                     kernel(10, 5, 1), kernel(15, 5, 2), kernel(20, 5, 3)}))
          .queues;
  REQUIRE(queues.size() == 1);
  CHECK(queues[0].stream == 7);
  CHECK(queues[0].max == 3);
  CHECK(queues[0].mean == 1.5);  // 1 2 3 2 1 0
  CHECK(queues[0].time_mean == (2 * 1 + 2 * 2 + 6 * 3 + 5 * 2 + 5 * 1) / 20.0);
}

TEST_CASE("a call and the start of its work at one moment leave the queue at 0, not below", "[trace]") {
  const auto queues = host(trace_of({call("launch", 4, 1, 1), kernel(4, 1, 1)})).queues;
  CHECK(queues.at(0).max == 1);
  CHECK(queues.at(0).mean == 0.5);  // 1 0
}

TEST_CASE("a synchronizing call is charged to the operator that the user called", "[trace]") {
  const HostTime time =
      host(trace_of({range("train", 0, 100), op("aten::item", 1, 50), op("aten::_local_scalar_dense", 2, 48),
                     call("cudaStreamSynchronize", 10, 30, 1)}));
  REQUIRE(time.waits.size() == 1);
  CHECK(time.waits[0].op == "aten::item");
  CHECK(time.waits[0].us == 30);
  CHECK_FALSE(time.waits[0].copy);
}

TEST_CASE("waiting on the device for an event of another stream does not hold the host", "[trace]") {
  CHECK_FALSE(is_synchronizing("cudaStreamWaitEvent"));
  CHECK(is_synchronizing("cudaDeviceSynchronize"));
  CHECK(is_synchronizing("hipStreamSynchronize"));
  CHECK(is_synchronizing("cuCtxSynchronize"));
}

TEST_CASE("a copy of pageable memory waits, a pinned one whose call returns early does not", "[trace]") {
  const HostTime time = host(trace_of({call("cudaMemcpyAsync", 0, 8, 1),
                                       on_stream("gpu_memcpy", "Memcpy HtoD (Pageable -> Device)", 5, 9, 1),
                                       call("cudaMemcpyAsync", 20, 2, 2),
                                       on_stream("gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", 25, 9, 2)}));
  REQUIRE(time.waits.size() == 1);
  CHECK(time.waits[0].us == 8);
  CHECK(time.waits[0].copy);
}

TEST_CASE("a copy whose call lasts until it is done waits, whatever the memory", "[trace]") {
  CHECK(host(trace_of({call("cudaMemcpy", 0, 20, 1),
                       on_stream("gpu_memcpy", "Memcpy DtoH (Device -> Pinned)", 5, 9, 1)}))
            .waits.at(0)
            .us == 20);
}

TEST_CASE("waiting for data counts nested ranges once", "[trace]") {
  CHECK(host(trace_of({range("data_wait", 0, 10),
                       range("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", 2, 6)}))
            .data_wait_us == 10);
}

TEST_CASE("a gap is charged to the operator whose work ended it", "[trace]") {
  const HostTime time = host(trace_of({kernel(0, 10, 1), op("aten::to", 10, 30), op("aten::copy_", 11, 20),
                                       call("launch", 20, 5, 2), kernel(30, 5, 2)}));
  REQUIRE(time.gaps.size() == 1);
  CHECK(time.gaps[0].op == "aten::to");
  CHECK(time.gaps[0].us == 20);
}

TEST_CASE("a device idles where none of its streams works", "[trace]") {
  const HostTime time = host(trace_of({kernel(0, 10, 1), kernel(12, 3, 2, 8), kernel(30, 5, 3)}));
  REQUIRE(time.gaps.size() == 1);
  CHECK(time.gaps[0].count == 2);
  CHECK(time.gaps[0].us == 2 + 15);
}

TEST_CASE("a phase has the device time of what any thread launched during it", "[trace]") {
  const HostTime time =
      host(trace_of({range("bwd", 0, 100), call("launch", 10, 1, 1, 2), kernel(200, 30, 1),
                     call("launch", 100, 1, 2, 2), kernel(300, 5, 2), range("ProfilerStep#1", 0, 400)}));
  REQUIRE(time.phases.size() == 1);
  CHECK(time.phases[0].name == "bwd");
  CHECK(time.phases[0].host_us == 100);
  CHECK(time.phases[0].device_us == 30);
}

TEST_CASE("what a thread launches within a range of its own is not another thread's", "[trace]") {
  auto other = range("B", 0, 100);
  other.tid = 2;
  const HostTime time =
      host(trace_of({range("A", 0, 100), other, call("launch", 10, 1, 1), kernel(200, 30, 1)}));
  REQUIRE(time.phases.size() == 2);
  for (const auto& phase : time.phases) CHECK(phase.device_us == (phase.name == "A" ? 30 : 0));
}

TEST_CASE("a phase within itself counts once; modules are phases", "[trace]") {
  const HostTime time = host(trace_of({range("fwd", 0, 10),
                                       range("fwd", 2, 5),
                                       {"python_function", "nn.Module: Linear_0", 1, 4},
                                       {"python_function", "train.py(1): f", 0, 9}}));
  REQUIRE(time.phases.size() == 2);
  CHECK(time.phases[0].count == 1);
  CHECK(time.phases[0].host_us == 10);
  CHECK(time.phases[1].name == "nn.Module: Linear_0");
}

TEST_CASE("a runtime that synchronizes by another name is waited for once", "[trace]") {
  const HostTime time =
      host(trace_of({call("synchronize", 10, 50, 1), call("synchronizeStream", 11, 40, 2)}));
  REQUIRE(time.waits.size() == 1);
  CHECK(time.waits[0].call == "synchronize");
  CHECK(time.waits[0].us == 50);
}

TEST_CASE("a trace without any device has no launches, queues or gaps", "[trace]") {
  const HostTime time = host(trace_of({op("f", 0, 10)}));
  CHECK(time.launches.count == 0);
  CHECK(time.queues.empty());
  CHECK(time.gaps.empty());
}

/// Five steps of a millisecond on the host, each with one kernel.
HostTime five_steps(double kernel_us) {
  tests::Story story;
  for (int i = 0; i < 5; ++i)
    story.step([&] {
      story.kernels(tests::gemm, 1, kernel_us);
      story.pause(995);
    });
  return host(story.trace());
}

TEST_CASE("where the host runs ahead a step lasts as long as on the device", "[trace]") {
  const auto ahead = five_steps(10'000);
  REQUIRE(ahead.steps.size() == 5);
  for (const auto& step : ahead.steps) {
    CHECK(step.us == 10'000);
    CHECK(step.end - step.begin == 1'000'000);
  }
  for (const auto& step : five_steps(800).steps) CHECK(step.us == 1000);
}

TEST_CASE("a copy that holds the host is not what launches take", "[trace]") {
  const Launches launches =
      host(trace_of({call("launch", 0, 2, 1), kernel(5, 1, 1), call("launch", 6, 4, 2), kernel(12, 1, 2),
                     call("cudaMemcpyAsync", 20, 5000, 3), kernel(30, 4000, 3)}))
          .launches;
  CHECK(launches.count == 3);
  CHECK(launches.call_us == 4);
}

}  // namespace
