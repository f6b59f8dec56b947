// The first step of a finding fits what it found: its Python lines are printed.
#include "harness/trace/which_steps.hpp"

#include "tests/harness/trace/one_step.hpp"
#include "tests/harness/trace/thread_story.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace {

using namespace harness::trace;
using tests::found;
using tests::one_step;
using tests::Story;
using tests::ThreadStory;
using tests::told;

std::vector<std::string> steps_of(const Diagnosis& diagnosis, std::string_view id) {
  const auto* finding = found(diagnosis, id);
  INFO(id);
  REQUIRE(finding != nullptr);
  return finding->steps;
}

TEST_CASE("rows that are gathered on a processor have steps of their own, and nobody else has those",
          "[trace][steps]") {
  const auto moving = [](const std::vector<std::string>& operators) {
    return told([&](ThreadStory& story) {
      story.op("aten::relu", 10'000);
      for (const auto& name : operators) story.op(name, 20'000);
    });
  };
  for (const auto* gather : {"aten::index_select", "aten::index", "aten::gather"}) {
    const auto steps = steps_of(moving({gather}), "memory_operators");
    CHECK(steps.front() == "sage/gather_in_workers");
    CHECK(std::ranges::count(steps, "cpu/malloc") == 0);
    CHECK(std::ranges::count(steps, "gnn/index_backward") == 0);
  }
  CHECK(steps_of(moving({"aten::index", "aten::_index_put_impl_"}), "memory_operators").front() ==
        "gnn/index_backward");
  CHECK(steps_of(moving({"aten::index_select", "aten::scatter_add_"}), "memory_operators").front() ==
        "gnn/aggregate");
  CHECK(found(moving({"aten::index_select"}), "memory_operators")->message.find("allocator") ==
        std::string::npos);
  for (const auto* other : {"aten::gelu", "aten::embedding", "aten::sort"}) {
    const auto steps = steps_of(moving({other}), "memory_operators");
    CHECK(std::ranges::count(steps, "sage/gather_in_workers") == 0);
    CHECK(std::ranges::count(steps, "gnn/aggregate") == 0);
  }
}

TEST_CASE("operators that move have the steps of the family that takes most of the time", "[trace][steps]") {
  const auto steps_for = [](const char* name, const char* range = "forward") {
    return steps_of(told([&](ThreadStory& story) {
                      story.op("aten::conv2d", 10'000);
                      story.op("aten::relu", 10'000);
                      story.range(range, [&] { story.op(name, 30'000); });
                    }),
                    "memory_operators");
  };
  for (const auto* chain : {"aten::gelu", "aten::threshold_backward", "aten::clamp_min", "aten::logical_and"})
    CHECK(steps_for(chain).front() == "compile/pointwise_chain");
  for (const auto* image : {"aten::native_batch_norm", "aten::max_pool2d_with_indices"}) {
    CHECK(steps_for(image).front() == "format/channels_last_cpu");
    CHECK(std::ranges::count(steps_for(image), "compile/pointwise_chain") == 0);
  }
  CHECK(steps_for("aten::cat") == std::vector<std::string>{"cpu/malloc", "memory/alloc_out_variant"});
  for (const auto* other : {"aten::copy_", "aten::_log_softmax", "aten::sort", "aten::embedding",
                            "aten::native_layer_norm", "aten::fill_"})
    CHECK(steps_for(other) == std::vector<std::string>{"cpu/malloc"});
  CHECK(steps_for("aten::mul_", "Optimizer.step#Adam.step") == std::vector<std::string>{"cpu/malloc"});
}

TEST_CASE("what a host prepares or runs itself decides how it is done elsewhere", "[trace][steps]") {
  const auto preparing = [](const char* name) {
    return one_step([=](Story& story) {
      story.kernels(tests::pointwise, 1, 10);
      story.within(name, "", [&] { story.pause(20'000); });
      story.copy("HtoD (Pageable -> Device)", 1e8, 1000);
    });
  };
  CHECK(steps_of(preparing("aten::index_select"), "input_preparation").front() == "sage/gather_in_workers");
  CHECK(steps_of(preparing("aten::randn"), "input_preparation").front() == "transfer/create_on_device");
  const auto other = steps_of(preparing("aten::stack"), "input_preparation");
  CHECK(other.front() == "dataload/workers_slow_source");
  CHECK(std::ranges::count(other, "gnn/feature_gather") == 0);

  const auto running = [](const char* name) {
    return one_step([=](Story& story) {
      story.within("aten::mm", "", [&] { story.kernels(tests::gemm, 1, 100); });
      story.within(name, "", [&] { story.pause(20'000); });
    });
  };
  CHECK(steps_of(running("aten::index"), "host_operators").front() == "sage/gather_in_workers");
  CHECK(steps_of(running("aten::normal_"), "host_operators").front() == "transfer/create_on_device");
  CHECK(steps_of(running("aten::sort"), "host_operators").front() == "transfer/stay_on_device");
}

TEST_CASE("copies between a tensor's types are not made elsewhere, those across the bus are",
          "[trace][steps]") {
  const auto converting = one_step([](Story& story) {
    story.within("aten::copy_", "", [&] { story.kernels("direct_copy_kernel_cuda", 1, 30'000); });
  });
  CHECK(steps_of(converting, "copy_ops").front() == "transfer/ping_pong");
  const auto sending = one_step([](Story& story) {
    story.within("aten::copy_", "", [&] { story.copy("HtoD (Pageable -> Device)", 1e8, 30'000); });
  });
  CHECK(steps_of(sending, "copy_ops").front() == "transfer/create_on_device");
}

TEST_CASE("a host that waits for a copy is not told to leave out its synchronization", "[trace][steps]") {
  const auto waiting = [](const char* within) {
    return one_step([=](Story& story) {
      story.kernels(tests::gemm, 1, 30'000);
      story.synchronize(within);
      story.pause(20'000);
    });
  };
  CHECK(steps_of(waiting(""), "sync_calls").front() == "sync/per_kernel");
  CHECK(steps_of(waiting("aten::copy_"), "sync_calls").front() == "sync/cpu_in_loop");
}

TEST_CASE("what allocates decides which lines are shown", "[trace][steps]") {
  const auto allocating = [](std::vector<const char*> calls) {
    return one_step([=](Story& story) {
      for (const auto* name : calls) story.call(name, 5000);
    });
  };
  CHECK(steps_of(allocating({"cudaMalloc", "cudaFree"}), "device_allocations").front() ==
        "memory/alloc_caching");
  CHECK(found(allocating({"cudaMallocAsync", "cudaFreeAsync"}), "device_allocations") == nullptr);
  CHECK(steps_of(allocating({"cudaMalloc"}), "device_allocations").front() ==
        "memory/alloc_expandable_segments");
  CHECK(
      steps_of(allocating({"cudaHostAlloc", "cudaMalloc", "cudaHostAlloc"}), "device_allocations").front() ==
      "transfer/pinned_alloc_cost");
}

TEST_CASE("a model that only answers is not told to compile its backward pass", "[trace][steps]") {
  const auto sea = [](const char* name) {
    return one_step(
        [=](Story& story) { story.within(name, "", [&] { story.kernels(tests::pointwise, 200, 4); }); });
  };
  CHECK(steps_of(sea("aten::relu"), "tiny_kernels").front() == "launch/run_ahead");
  for (const auto* node : {"autograd::engine::evaluate_function: ReluBackward0", "ReluBackward"})
    CHECK(steps_of(sea(node), "tiny_kernels").front() == "compile/small_model");
}

TEST_CASE("a run that uses graphs is told of no step that captures one", "[trace][steps]") {
  const auto diagnosis = one_step([](Story& story) {
    story.graph(tests::pointwise, 100, 5);
    for (int i = 0; i < 100; ++i) {
      story.kernels(tests::pointwise, 1, 5);
      story.pause(300);
    }
  });
  const auto steps = steps_of(diagnosis, "launch_gaps");
  CHECK(steps.front() == "compile/small_model");
  CHECK(std::ranges::count(steps, "launch/cost") == 1);
  CHECK(std::ranges::count(steps, "launch/run_ahead") == 0);
}

}  // namespace
