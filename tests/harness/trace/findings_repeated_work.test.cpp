// Each threshold of the findings about repeated work from both sides.
#include "tests/harness/trace/one_step.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <string>
#include <utility>

namespace {

using namespace harness;
using namespace harness::trace;
using tests::found;
using tests::one_step;
using tests::Story;

constexpr auto node = R"("Sequence number": 7)";

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

/// A formula of the backward pass that records a graph itself, as create_graph=True makes it, and around it
/// what never records one.
Diagnosis differentiated_twice(const std::string& name, const std::string& formula) {
  return one_step([&](Story& story) {
    story.within("autograd::engine::evaluate_function: " + name, node, [&] {
      story.within(name, node, [&] {
        story.within("aten::zeros", "", [&] { story.pause(10); });
        story.within(formula, R"("Sequence number": 9)", [&] { story.kernels(tests::gemm, 1, 20'000); });
      });
    });
  });
}

TEST_CASE("formulas that record a graph for a second derivative are no recomputation", "[trace][findings]") {
  for (const auto& [name, formula] : {std::pair{"MmBackward0", "aten::mm"},
                                      {"TanhBackward0", "aten::tanh_backward"},
                                      {"ConvolutionBackward0", "aten::convolution_backward"}})
    CHECK(found(differentiated_twice(name, formula), "recomputation") == nullptr);
}

TEST_CASE("a checkpoint that is no node of its own runs again before the node's formula",
          "[trace][findings]") {
  const auto diagnosis = one_step([&](Story& story) {
    story.within("autograd::engine::evaluate_function: AddmmBackward0", node, [&] {
      story.within("AddmmBackward0", node, [&] {
        story.within("aten::linear", R"("Sequence number": 9)",
                     [&] { story.kernels(tests::gemm, 1, 20'000); });
        story.within("aten::mm", R"("Sequence number": 10)", [&] { story.kernels(tests::gemm, 1, 20'000); });
        story.within("aten::mm", "", [&] { story.kernels(tests::gemm, 1, 20'000); });
      });
    });
  });
  REQUIRE(found(diagnosis, "recomputation") != nullptr);
  CHECK(std::abs(found(diagnosis, "recomputation")->saves_us - 40'000) < 5);
}

TEST_CASE("a checkpoint runs again before a formula that the trace has only once", "[trace][findings]") {
  const auto relu = [](const std::string& formula_args) {
    return one_step([&](Story& story) {
      story.within("autograd::engine::evaluate_function: ReluBackward0", node, [&] {
        story.within("ReluBackward0", node, [&] {
          story.within("aten::conv2d", R"("Sequence number": 9)",
                       [&] { story.kernels(tests::gemm, 1, 20'000); });
          story.within("aten::threshold_backward", formula_args,
                       [&] { story.kernels(tests::pointwise, 1, 20'000); });
        });
      });
    });
  };
  const auto again = relu("");
  REQUIRE(found(again, "recomputation") != nullptr);
  CHECK(std::abs(found(again, "recomputation")->saves_us - 20'000) < 5);
  CHECK(found(relu(R"("Sequence number": 10)"), "recomputation") == nullptr);
}

TEST_CASE("operators that record a graph within the backward pass run again", "[trace][findings]") {
  const auto diagnosis = backwards(R"("Sequence number": 9)", 20'000);
  REQUIRE(found(diagnosis, "recomputation") != nullptr);
  CHECK(found(diagnosis, "recomputation")->severity == Severity::low);
  CHECK(std::abs(found(diagnosis, "recomputation")->saves_us - 20'000) < 5);
  CHECK(found(backwards(R"("Sequence number": 9)", 1900), "recomputation") == nullptr);
  CHECK(found(backwards("", 20'000), "recomputation") == nullptr);
}

TEST_CASE("a call for memory that takes 50 ms makes a context or a library, and is no allocation",
          "[trace][findings]") {
  for (const auto* call : {"cudaFree", "cudaMalloc", "hipMalloc"}) {
    const auto calling = [=](double us) {
      return one_step([=](Story& story) {
        story.kernels(tests::pointwise, 1, 10);
        story.call(call, us);
      });
    };
    CHECK(found(calling(49'900), "device_allocations") != nullptr);
    CHECK(found(calling(49'900), "first_use") == nullptr);
    CHECK(found(calling(50'000), "device_allocations") == nullptr);
    CHECK(found(calling(50'000), "first_use") != nullptr);
  }
}

TEST_CASE("pinning memory takes long each time", "[trace][findings]") {
  for (const auto* call : {"cudaHostAlloc", "cudaMallocHost"})
    CHECK(found(one_step([=](Story& story) {
                  story.kernels(tests::pointwise, 1, 10);
                  story.call(call, 60'000);
                }),
                "device_allocations") != nullptr);
}

TEST_CASE("where first uses take most of the time nothing is said of the idle time between them",
          "[trace][findings]") {
  const auto starting = [](double us) {
    return one_step([us](Story& story) {
      story.kernels(tests::pointwise, 1, 10);
      story.call("cudaModuleLoadData", us);
      story.within("aten::cudnn_convolution", "", [&] {
        story.pause(20'000);
        story.kernels(tests::gemm, 1, 10);
      });
    });
  };
  for (const auto* of_idle_time : {"launch_gaps", "outside_pytorch", "host_operators"})
    CHECK(found(starting(60'000), of_idle_time) == nullptr);
  CHECK(found(starting(60'000), "first_use") != nullptr);
  CHECK(found(starting(40'000), "host_operators") != nullptr);
}

TEST_CASE("a driver's calls that load code are the first use of kernels", "[trace][findings]") {
  for (const auto* call : {"cuLibraryGetModule", "cuKernelGetFunction", "cuFuncLoad", "hipModuleLoadData"}) {
    const auto loading = one_step([=](Story& story) {
      story.kernels(tests::pointwise, 1, 10);
      story.call(call, 40'000);
    });
    CHECK(found(loading, "first_use") != nullptr);
    CHECK(found(loading, "launch_gaps") == nullptr);
  }
}

}  // namespace
