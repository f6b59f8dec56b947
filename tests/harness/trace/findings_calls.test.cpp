// Each threshold of the findings about calls of the host, from both sides.
#include "tests/harness/trace/one_step.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

using namespace harness;
using namespace harness::trace;
using tests::found;
using tests::one_step;
using tests::Story;

constexpr auto node = R"("Sequence number": 7)";

/// So many kernels of 20 us, of which some block.
Diagnosis launching(int blocking, int others) {
  return one_step([&](Story& story) {
    for (int i = 0; i < blocking; ++i) story.blocking_kernel(tests::gemm, 20);
    story.kernels(tests::gemm, others, 20);
  });
}

TEST_CASE("launches that return when their kernel has ended are blocking ones, if nine in ten do",
          "[trace][findings]") {
  // The long product at the end of the step is one more that does not block.
  CHECK(found(launching(10, 0), "launch_blocking") != nullptr);
  CHECK(found(launching(9, 0), "launch_blocking") != nullptr);
  CHECK(found(launching(8, 0), "launch_blocking") == nullptr);
  CHECK(found(launching(10, 1), "launch_blocking") == nullptr);
  CHECK(found(launching(0, 20), "launch_blocking") == nullptr);
}

TEST_CASE("short kernels may have ended when their launch returns", "[trace][findings]") {
  const auto diagnosis = one_step([](Story& story) {
    for (int i = 0; i < 30; ++i) story.blocking_kernel(tests::gemm, 9);
  });
  CHECK(found(diagnosis, "launch_blocking") == nullptr);
}

/// A value is read back behind an operator of that name, and then the host lets the device idle.
Diagnosis reading_behind(const std::string& check, double idle_us) {
  return one_step([&](Story& story) {
    story.within(check, "", [&] { story.kernels(tests::pointwise, 1, 20); });
    story.synchronize("aten::item");
    story.pause(idle_us);
  });
}

TEST_CASE("a finding distinguishes GradScaler's reads from others", "[trace][findings]") {
  constexpr auto check = "aten::_amp_foreach_non_finite_check_and_unscale_";
  CHECK(found(reading_behind(check, 2100), "grad_scaler_sync") != nullptr);
  CHECK(found(reading_behind(check, 1900), "grad_scaler_sync") == nullptr);
  CHECK(found(reading_behind("aten::sum", 2100), "grad_scaler_sync") == nullptr);
  CHECK(found(reading_behind("aten::sum", 2100), "item_sync") != nullptr);
}

TEST_CASE("the training thread's pinning is reported from 2 % of the time on, the loader's is not",
          "[trace][findings]") {
  const auto pinning = [](double us, bool in_loader) {
    return one_step([&](Story& story) {
      const auto pin = [&] {
        story.pause(1);
        story.within("aten::pin_memory", "", [&] { story.pause(us); });
      };
      if (in_loader)
        story.named("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", pin);
      else
        pin();
    });
  };
  CHECK(found(pinning(2010, false), "pinning_in_step") != nullptr);
  CHECK(found(pinning(1990, false), "pinning_in_step") == nullptr);
  CHECK(found(pinning(2010, true), "pinning_in_step") == nullptr);
}

TEST_CASE("compiling within the steps is reported from 2 % of the time on, and counted once",
          "[trace][findings]") {
  const auto compiling = [](double us) {
    return one_step([us](Story& story) {
      story.named("_compile.compile_inner (dynamo_timed)",
                  [&] { story.named("backend_compile (dynamo_timed)", [&] { story.pause(us); }); });
    });
  };
  const auto diagnosis = compiling(2010);
  REQUIRE(found(diagnosis, "compiling_in_steps") != nullptr);
  CHECK(std::abs(found(diagnosis, "compiling_in_steps")->saves_us - 2010) < 5);
  CHECK(found(compiling(1990), "compiling_in_steps") == nullptr);
}

/// A node of the graph that the engine runs, and an operator of that kind within it.
Diagnosis backwards(const std::string& inner_args, double us) {
  return one_step([&](Story& story) {
    story.within("autograd::engine::evaluate_function: CheckpointFunctionBackward", node, [&] {
      story.within("CheckpointFunctionBackward", node, [&] {
        story.within("aten::linear", inner_args, [&] { story.kernels(tests::gemm, 1, us); });
      });
    });
  });
}

TEST_CASE("operators that record a graph within the backward pass run again", "[trace][findings]") {
  const auto diagnosis = backwards(R"("Sequence number": 9)", 20'000);
  REQUIRE(found(diagnosis, "recomputation") != nullptr);
  CHECK(found(diagnosis, "recomputation")->severity == Severity::low);
  CHECK(std::abs(found(diagnosis, "recomputation")->saves_us - 20'000) < 5);
  CHECK(found(backwards(R"("Sequence number": 9)", 1900), "recomputation") == nullptr);
  CHECK(found(backwards("", 20'000), "recomputation") == nullptr);
}

/// A forward operator of that length on the host, and a node of a backward pass.
Diagnosis forward(const std::string& backward, const std::string& number) {
  return one_step([&](Story& story) {
    story.within("aten::linear", R"("Sequence number": 9)", [&] { story.pause(3000); });
    story.within("aten::relu", R"("Sequence number": 10)", [&] { story.pause(10); });
    story.within(backward, number, [&] { story.pause(10); });
  });
}

TEST_CASE("a graph that no backward pass uses is found on a device too", "[trace][findings]") {
  const std::string engine = "autograd::engine::evaluate_function: AddmmBackward0";
  CHECK(found(forward(engine, node), "unused_graph") != nullptr);
  CHECK(found(forward(engine, R"("Sequence number": 9)"), "unused_graph") == nullptr);
}

TEST_CASE("a trace of 2021 does not say which operators are nodes, so no graph is called unused",
          "[trace][findings]") {
  CHECK(found(forward("AddmmBackward", R"("Sequence number": 9)"), "unused_graph") == nullptr);
}

TEST_CASE("an optimizer is reported from a quarter of the device's time on", "[trace][findings]") {
  const auto stepping = [](double us) {
    return one_step([us](Story& story) {
      story.named("Optimizer.step#Adam.step", [&] { story.kernels("multi_tensor_apply_kernel", 1, us); });
    });
  };
  REQUIRE(found(stepping(25'100), "optimizer_share") != nullptr);
  CHECK(found(stepping(25'100), "optimizer_share")->severity == Severity::medium);
  CHECK(found(stepping(50'100), "optimizer_share")->severity == Severity::high);
  CHECK(found(stepping(24'800), "optimizer_share") == nullptr);
}

TEST_CASE("a sparse operator that waits has a size that depends on data", "[trace][findings]") {
  const auto diagnosis = one_step([](Story& story) {
    story.kernels(tests::pointwise, 1, 20);
    story.synchronize("aten::_coalesce");
    story.pause(2100);
  });
  CHECK(found(diagnosis, "dynamic_shape_sync") != nullptr);
}

}  // namespace
