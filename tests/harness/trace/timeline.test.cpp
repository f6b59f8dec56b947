#include "harness/trace/timeline.hpp"

#include "tests/harness/trace/story.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

namespace {

using namespace harness;
using namespace harness::trace;
using Catch::Matchers::WithinAbs;
using tests::Story;

Shares spent(const Trace& trace) {
  const auto found = efforts(trace);
  const auto line = timeline(trace, found, nullptr);
  REQUIRE_FALSE(line.moments.empty());
  const Span whole{line.moments.front().begin, line.moments.back().end};
  const auto all = shares(line, {&whole, 1});
  double sum = 0;
  for (const double us : all.us) sum += us;
  CHECK_THAT(sum, WithinAbs(all.window_us, 0.01));  // without holes, and nothing twice
  return all;
}

/// An operator with a kernel, then what `between` does, then a kernel.
template <class Between>
Shares after_kernel(const Between& between) {
  Story story;
  story.within("aten::mm", "", [&] { story.kernels(tests::gemm, 1, 100); });
  story.host = std::max(story.host, story.device);
  between(story);
  story.kernels(tests::gemm, 1, 100);
  return spent(story.trace());
}

TEST_CASE("a gap in which the data loader works waits for input", "[trace][timeline]") {
  const auto all = after_kernel([](Story& story) { story.load(500); });
  CHECK_THAT(all[Use::wait_input], WithinAbs(500, 0.01));
  CHECK_THAT(all[Use::arithmetic], WithinAbs(200, 0.01));
}

TEST_CASE("a gap ended by a copy of a batch waits for input from 64 KiB on", "[trace][timeline]") {
  const auto gap = [](double bytes) {
    return after_kernel([bytes](Story& story) {
      story.pause(500);
      story.copy("HtoD (Pageable -> Device)", bytes, 20);
    });
  };
  CHECK_THAT(gap(65536)[Use::wait_input], WithinAbs(500, 0.01));
  CHECK_THAT(gap(65536)[Use::copy_in],
             WithinAbs(20 + Story::launch_us + 1, 0.01));  // the call, then the copy
  CHECK(gap(65535)[Use::wait_input] == 0);
  CHECK(gap(65535)[Use::wait_launch] > 500);
}

TEST_CASE("a gap after a synchronization is its fault", "[trace][timeline]") {
  Story story;
  story.kernels(tests::gemm, 1, 400);
  story.synchronize();
  story.pause(300);
  story.kernels(tests::gemm, 1, 100);
  const auto all = spent(story.trace());
  CHECK(all[Use::wait_sync] > 300);
  CHECK(all[Use::wait_launch] < 20);
}

TEST_CASE("a gap without loading and without synchronization waits for the launch", "[trace][timeline]") {
  const auto all = after_kernel([](Story& story) { story.pause(300); });
  CHECK(all[Use::wait_launch] > 300);
  CHECK(all[Use::wait_sync] == 0);
}

TEST_CASE("a gap before launched work is the device's own below 30 us", "[trace][timeline]") {
  const auto gap = [](double us) {
    return spent(
        tests::trace_of({tests::call("cudaLaunchKernel", 0, 5, 1), tests::call("cudaLaunchKernel", 6, 5, 2),
                         tests::kernel(20, 100, 1), tests::kernel(120 + us, 100, 2)}));
  };
  CHECK_THAT(gap(29)[Use::between], WithinAbs(29, 0.01));
  CHECK_THAT(gap(30)[Use::wait_other], WithinAbs(30, 0.01));
}

TEST_CASE("a gap waits for its launch only until the launch has returned", "[trace][timeline]") {
  const auto all =
      spent(tests::trace_of({tests::call("cudaLaunchKernel", 0, 5, 1), tests::kernel(10, 100, 1),
                             tests::call("cudaLaunchKernel", 150, 5, 2), tests::kernel(1000, 100, 2)}));
  CHECK_THAT(all[Use::wait_launch], WithinAbs(45 + 10, 0.01));
  CHECK_THAT(all[Use::wait_other], WithinAbs(1000 - 155, 0.01));
}

TEST_CASE("a kernel that begins just behind its launch waited for it until it began", "[trace][timeline]") {
  const auto all =
      spent(tests::trace_of({tests::call("cudaLaunchKernel", 0, 5, 1), tests::kernel(10, 100, 1),
                             tests::call("cudaLaunchKernel", 150, 5, 2), tests::kernel(184, 100, 2)}));
  CHECK_THAT(all[Use::wait_launch], WithinAbs(74 + 10, 0.01));
  CHECK(all[Use::wait_other] == 0);
}

TEST_CASE("a gap that ends with work whose launch was not recorded has no known cause", "[trace][timeline]") {
  const auto all = spent(tests::trace_of({tests::kernel(0, 100, 1), tests::kernel(600, 100, 2)}));
  CHECK_THAT(all[Use::wait_other], WithinAbs(500, 0.01));
}

TEST_CASE("a launch of 100 us or longer loads code while the device idles", "[trace][timeline]") {
  const auto launching = [](const char* name, double us) {
    return spent(tests::trace_of({tests::call("cudaLaunchKernel", 0, 5, 1), tests::kernel(10, 50, 1),
                                  tests::call(name, 100, us, 2), tests::kernel(100 + us + 2, 50, 2)}));
  };
  CHECK_THAT(launching("cudaLaunchKernel", 100)[Use::start_up], WithinAbs(100, 0.01));
  CHECK_THAT(launching("hipModuleLaunchKernel", 5000)[Use::start_up], WithinAbs(5000, 0.01));
  CHECK(launching("cudaLaunchKernel", 99)[Use::start_up] == 0);
  CHECK(launching("cudaGraphLaunch", 5000)[Use::start_up] == 0);  // a graph of many nodes takes its time
}

TEST_CASE("a launch that began before the device ran dry loads code while it idles", "[trace][timeline]") {
  const auto launching = [](double us) {
    return spent(tests::trace_of({tests::call("cudaLaunchKernel", 0, 5, 1), tests::kernel(10, 90, 1),
                                  tests::call("cudaLaunchKernel", 60, us, 2), tests::kernel(5000, 50, 2)}));
  };
  CHECK_THAT(launching(540)[Use::start_up], WithinAbs(500, 0.01));
  CHECK_THAT(launching(540)[Use::wait_other], WithinAbs(4400, 0.01));
  CHECK_THAT(launching(100)[Use::start_up], WithinAbs(60, 0.01));
  CHECK(launching(99)[Use::start_up] == 0);
  CHECK(launching(30)[Use::wait_other] == launching(99)[Use::wait_other]);
}

TEST_CASE("a launch that waits for its kernel loads nothing", "[trace][timeline]") {
  Story story;
  story.within("aten::mm", "", [&] {
    for (int i = 0; i < 5; ++i) story.blocking_kernel(tests::gemm, 400);
  });
  CHECK(spent(story.trace())[Use::start_up] == 0);
}

TEST_CASE("what kernels hide costs nothing", "[trace][timeline]") {
  const auto all = spent(
      tests::trace_of({tests::call("cudaLaunchKernel", 0, 2, 1), tests::call("cudaLaunchKernel", 2, 2, 2),
                       tests::on_stream("kernel", "ncclDevKernel_AllReduce_Sum_f32_RING_LL", 10, 100, 1, 20),
                       tests::on_stream("kernel", tests::gemm, 30, 50, 2)}));
  CHECK_THAT(all[Use::arithmetic], WithinAbs(50, 0.01));
  CHECK_THAT(all[Use::communication], WithinAbs(50, 0.01));
}

TEST_CASE("a blocking copy closely before a synchronization belongs to the wait", "[trace][timeline]") {
  const auto all =
      spent(tests::trace_of({tests::call("cudaMemcpyAsync", 0, 400, 1),
                             tests::on_stream("gpu_memcpy", "Memcpy HtoD (Pageable -> Device)", 100, 303, 1),
                             tests::call("cudaStreamSynchronize", 402, 5, 2),
                             tests::call("cudaLaunchKernel", 700, 5, 3), tests::kernel(706, 10, 3)}));
  CHECK(all[Use::wait_sync] > 290);
}

TEST_CASE("a wait that ended 30 us before a synchronization is another one", "[trace][timeline]") {
  const auto waiting = [](double until) {
    return spent(tests::trace_of({tests::call("cudaLaunchKernel", 0, 5, 1), tests::kernel(6, 994, 1),
                                  tests::call("cudaStreamSynchronize", 10, until - 10, 2),
                                  tests::call("cudaStreamSynchronize", 995, 6, 3),
                                  tests::call("cudaLaunchKernel", 1300, 5, 4), tests::kernel(1306, 10, 4)}));
  };
  CHECK(waiting(990)[Use::wait_sync] > 290);
  CHECK(waiting(960)[Use::wait_sync] < 10);
}

}  // namespace
