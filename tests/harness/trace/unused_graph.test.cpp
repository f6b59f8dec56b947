// A graph that no backward pass uses, in traces of a device.
#include "tests/harness/trace/one_step.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>

namespace {

using namespace harness;
using namespace harness::trace;
using tests::found;
using tests::one_step;
using tests::Story;

constexpr auto node = R"("Sequence number": 7)";

/// Forward operators, one of them long on the host, and a node of a backward pass.
Diagnosis forward(const std::string& backward, const std::string& number, bool node_7 = true) {
  return one_step([&](Story& story) {
    if (node_7) story.within("aten::conv2d", node, [&] { story.pause(10); });
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

TEST_CASE(
    "a backward pass that belongs to an earlier forward pass is a pipeline's: the trace does not show this "
    "one's",
    "[trace][findings]") {
  const std::string engine = "autograd::engine::evaluate_function: AddmmBackward0";
  CHECK(found(forward(engine, node, false), "unused_graph") == nullptr);
  CHECK(found(forward(engine, R"("Sequence number": 3)"), "unused_graph") == nullptr);
}

TEST_CASE("without steps and without any backward pass nobody knows whether one comes", "[trace][findings]") {
  const auto forward_only = [](bool in_step) {
    Story story;
    const auto run = [&] {
      story.within("aten::linear", R"("Sequence number": 1)", [&] {
        story.kernels(tests::gemm, 1, 500);
        story.pause(200);
      });
      story.within("aten::relu", R"("Sequence number": 2)", [&] { story.kernels(tests::pointwise, 1, 500); });
      story.host = story.device;
    };
    in_step ? story.step(run) : run();
    return diagnose(story.trace());
  };
  CHECK(found(forward_only(true), "unused_graph") != nullptr);
  CHECK(found(forward_only(false), "unused_graph") == nullptr);
}

TEST_CASE("a trace of 2021 does not say which operators are nodes, so no graph is called unused",
          "[trace][findings]") {
  CHECK(found(forward("AddmmBackward", R"("Sequence number": 9)"), "unused_graph") == nullptr);
}

TEST_CASE(
    "where mostly earlier forward passes run backwards, the later ones of a pipeline do so behind the trace",
    "[trace][findings]") {
  const auto engine = "autograd::engine::evaluate_function: AddmmBackward0";
  const auto pipeline = [&](int earlier) {
    return one_step([&](Story& story) {
      for (int number = 1; number <= earlier; ++number)
        story.within(engine, R"("Sequence number": )" + std::to_string(number), [&] { story.pause(10); });
      story.within("aten::conv2d", R"("Sequence number": 7)", [&] { story.pause(3000); });
      story.within("aten::linear", R"("Sequence number": 9)", [&] { story.pause(10); });
      story.within("aten::relu", R"("Sequence number": 10)", [&] { story.pause(10); });
      story.within(engine, R"("Sequence number": 9)", [&] { story.pause(10); });
    });
  };
  CHECK(found(pipeline(1), "unused_graph") != nullptr);
  CHECK(found(pipeline(2), "unused_graph") == nullptr);
}

}  // namespace
