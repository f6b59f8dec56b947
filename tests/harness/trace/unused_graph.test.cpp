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

}  // namespace
