// The exchange of gradients in a trace: its size, its passes, and each threshold of its findings from both
// sides.
#include "harness/trace/collectives.hpp"

#include "tests/harness/trace/one_step.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <string>

namespace {

using namespace harness;
using namespace harness::trace;
using Catch::Matchers::WithinAbs;
using tests::found;
using tests::one_step;
using tests::Story;

constexpr auto node = "autograd::engine::evaluate_function: torch::autograd::AccumulateGrad";
constexpr int mib_values = (1 << 20) / 4;

/// An all-reduce of that many values in FP32 whose kernel stands alone on the device.
void all_reduce(Story& story, int values, double us) {
  const auto sized = R"("In msg nelems": )" + std::to_string(values) + R"(, "dtype": "Float")";
  story.within("c10d::allreduce_", "", [&] {
    story.within("record_param_comms", sized,
                 [&] { story.kernels("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 1, us); });
  });
}

void exchange(Story& story, int values, double us) {
  story.within(node, "", [&] { all_reduce(story, values, us); });
}

Diagnosis exchanging(int small, int large, double us) {
  return one_step([&](Story& story) {
    for (int i = 0; i < small; ++i) exchange(story, mib_values - 1, us);
    for (int i = 0; i < large; ++i) exchange(story, mib_values, us);
  });
}

void forward(Story& story) {
  story.named("DistributedDataParallel.forward", [&] { story.kernels(tests::gemm, 1, 100); });
}

void update(Story& story) {
  story.named("Optimizer.step#SGD.step", [&] { story.kernels(tests::pointwise, 1, 10); });
}

TEST_CASE("bytes are read from the shapes of a call, whatever lists them", "[trace][collectives]") {
  CHECK(bytes_of("[[64, 3], []]", "float") == 768);
  CHECK(bytes_of("[[[4160]], [], [], []]", "") == 16'640);
  CHECK(bytes_of("[[10]]", "c10::BFloat16") == 20);
  CHECK(bytes_of("[[10], [2, 2]]", "double") == 112);
  for (const auto* none :
       {"", "[]", "[[], [], []]", "[[0]]", "[[-1]]", "[[a]]", "]]", "[[99999999, 99999999, 9]]"})
    CHECK_FALSE(bytes_of(none, "float"));
}

TEST_CASE("ten all-reduces a step below 1 MiB are too many small buckets, if they are half of all",
          "[trace][collectives]") {
  CHECK(found(exchanging(10, 0, 210), "small_buckets") != nullptr);
  CHECK(found(exchanging(9, 0, 300), "small_buckets") == nullptr);
  CHECK(found(exchanging(0, 10, 210), "small_buckets") == nullptr);
  CHECK(found(exchanging(10, 10, 210), "small_buckets") != nullptr);
  CHECK(found(exchanging(10, 11, 210), "small_buckets") == nullptr);
}

TEST_CASE("small buckets cost what of them stands alone, from 2 % of the time on", "[trace][collectives]") {
  CHECK(found(exchanging(10, 0, 190), "small_buckets") == nullptr);
  const auto diagnosis = exchanging(10, 5, 210);
  const auto* finding = found(diagnosis, "small_buckets");
  REQUIRE(finding != nullptr);
  CHECK_THAT(finding->saves_us, WithinAbs(2100, 1));
  CHECK_THAT(found(diagnosis, "exposed_communication")->saves_us, WithinAbs(3150, 1));
}

TEST_CASE("an all-reduce outside of the backward pass is not a bucket", "[trace][collectives]") {
  const auto diagnosis = one_step([](Story& story) {
    for (int i = 0; i < 10; ++i) all_reduce(story, 1, 210);
  });
  CHECK(found(diagnosis, "small_buckets") == nullptr);
  CHECK(found(diagnosis, "exposed_communication") != nullptr);
}

TEST_CASE("gradients that several backward passes exchange for one update are sent in vain",
          "[trace][collectives]") {
  const auto accumulating = [](double us) {
    return one_step([us](Story& story) {
      for (int i = 0; i < 3; ++i) {
        forward(story);
        exchange(story, mib_values, us);
      }
      update(story);
    });
  };
  const auto often = accumulating(1020);
  const auto* finding = found(often, "synced_accumulation");
  REQUIRE(finding != nullptr);
  CHECK_THAT(finding->saves_us, WithinAbs(2 * 1020, 1));
  CHECK(finding->steps.front() == "parallel/no_sync");
  CHECK(found(accumulating(980), "synced_accumulation") == nullptr);
}

TEST_CASE("one exchange for each update is none too many, however many forward passes there are",
          "[trace][collectives]") {
  const auto each = one_step([](Story& story) {
    for (int i = 0; i < 2; ++i) {
      forward(story);
      exchange(story, mib_values, 3000);
      update(story);
    }
  });
  CHECK(found(each, "synced_accumulation") == nullptr);
  const auto last = one_step([](Story& story) {
    for (int i = 0; i < 3; ++i) forward(story);
    for (int i = 0; i < 3; ++i) exchange(story, mib_values, 3000);
    update(story);
  });
  CHECK(found(last, "synced_accumulation") == nullptr);
  const auto no_updates = one_step([](Story& story) {
    for (int i = 0; i < 3; ++i) {
      forward(story);
      exchange(story, mib_values, 3000);
    }
  });
  CHECK(found(no_updates, "synced_accumulation") == nullptr);
}

TEST_CASE("buffers that the forward pass sends are reported, other broadcasts are not",
          "[trace][collectives]") {
  const auto sending = [](double us, const std::string& within) {
    return one_step([&](Story& story) {
      story.named(within, [&] {
        story.pause(1);
        story.within("c10d::broadcast_", "",
                     [&] { story.kernels("ncclDevKernel_Broadcast_RING_LL", 1, us); });
      });
    });
  };
  constexpr auto ddp = "DistributedDataParallel.forward";
  CHECK(found(sending(2010, ddp), "buffer_broadcasts") != nullptr);
  CHECK(found(sending(1990, ddp), "buffer_broadcasts") == nullptr);
  CHECK(found(sending(2010, "initialise"), "buffer_broadcasts") == nullptr);
}

/// A step of 100 ms on a CPU with so many all-reduces, in which the thread itself communicates.
Diagnosis on_thread(int count, const std::string& dims, double us) {
  double now = 0;
  std::string text = tests::json({"user_annotation", "ProfilerStep#1", 0, 100'000});
  const auto add = [&](const tests::Made& made) { text += ",\n" + tests::json(made); };
  for (int i = 0; i < count; ++i) {
    add(tests::op(node, now, us + 2));
    add({"cpu_op", "c10d::allreduce_", now + 1, us, R"("Input Dims": )" + dims});
    now += us + 2;
  }
  add(tests::op("aten::mm", now, 100'000 - now));
  return diagnose(parse_trace("[" + text + "]", "thread.json"));
}

TEST_CASE("a training on the CPU shows its exchange too", "[trace][collectives]") {
  const auto small = on_thread(10, "[[[4160]], [], []]", 210);
  REQUIRE(small.host_judged);
  REQUIRE(found(small, "small_buckets") != nullptr);
  CHECK_THAT(found(small, "small_buckets")->saves_us, WithinAbs(2100, 1));
  CHECK_THAT(found(small, "exposed_communication")->saves_us, WithinAbs(2100, 1));
  CHECK(found(on_thread(10, "[[[300000]], [], []]", 210), "small_buckets") == nullptr);
  CHECK(found(on_thread(10, "[[], []]", 210), "small_buckets") == nullptr);
  CHECK(found(on_thread(10, "[[[4160]], [], []]", 190), "exposed_communication") == nullptr);
}

/// One step of parallel/overlap in two ranks, recorded by `tuneproof profile`.
Diagnosis recorded(const char* form) {
  const auto name = std::string("overlap_") + form + ".trace.json.gz";
  return diagnose(read_trace(tests::golden_directory() / "ranks" / name));
}

TEST_CASE("a recorded thread waits for Gloo from the call of its exchange to its next operator",
          "[trace][collectives]") {
  const auto diagnosis = recorded("naive");
  const auto* finding = found(diagnosis, "exposed_communication");
  REQUIRE(finding != nullptr);
  CHECK_THAT(finding->saves_us, WithinAbs(49'785.451 - 29'297.899, 1));  // both as the file has them
}

TEST_CASE("recorded buckets of 1 MiB wait for each other and are not too small", "[trace][collectives]") {
  const auto diagnosis = recorded("optimized");
  CHECK(found(diagnosis, "exposed_communication") != nullptr);
  CHECK(found(diagnosis, "small_buckets") == nullptr);
}

}  // namespace
