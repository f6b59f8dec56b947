#include "tests/harness/trace/story.hpp"

#include "harness/trace/efforts.hpp"
#include "harness/trace/event_arguments.hpp"
#include "harness/trace/timeline.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

namespace {

using namespace harness;
using namespace harness::trace;
using Catch::Matchers::WithinRel;

TEST_CASE("relu on FP32 needs 0.125 FLOP per byte", "[trace][intensity]") {
  const auto need = need_of({"aten::relu", {{1000, 3}}, {"float"}, {}});
  REQUIRE(need);
  CHECK(need->flop == 3000);
  CHECK(need->bytes == 24000);
  CHECK(need->intensity() == 0.125);
}

TEST_CASE("relu on half the bytes needs twice the intensity", "[trace][intensity]") {
  CHECK(need_of({"aten::relu", {{8}}, {"c10::Half"}, {}})->intensity() == 0.25);
}

TEST_CASE("an output that is handed in is not read", "[trace][intensity]") {
  CHECK(need_of({"aten::clamp_min", {{8}, {}, {8}}, {"float", "Scalar", "float"}, {}})->bytes == 64);
}

TEST_CASE("a matrix product needs 2 m n k FLOP and each matrix once", "[trace][intensity]") {
  const auto need = need_of({"aten::mm", {{4, 5}, {5, 6}}, {"float", "float"}, {}});
  REQUIRE(need);
  CHECK(need->flop == 2 * 4 * 5 * 6);
  CHECK(need->bytes == 4 * (20 + 30 + 24));
}

TEST_CASE("addmm reads its addend, bmm counts each batch, linear its transposed weight",
          "[trace][intensity]") {
  CHECK(need_of({"aten::addmm", {{6}, {4, 5}, {5, 6}}, {}, {}})->bytes == 4 * (6 + 20 + 30 + 24));
  CHECK(need_of({"aten::bmm", {{2, 4, 5}, {2, 5, 6}}, {}, {}})->flop == 2 * 2 * 4 * 5 * 6);
  CHECK(need_of({"aten::linear", {{4, 5}, {6, 5}, {6}}, {}, {}})->flop == 2 * 4 * 5 * 6);
}

TEST_CASE("a convolution is counted where its stride was recorded, and only there", "[trace][intensity]") {
  const std::vector<Shape> shapes{{1, 3, 8, 8}, {4, 3, 3, 3}, {}};
  const Recorded with{"aten::conv2d", shapes, {}, {"", "", "", "[2, 2]", "[1, 1]", "[1, 1]", "1"}};
  const auto need = need_of(with);
  REQUIRE(need);
  CHECK(need->flop == 2.0 * 4 * 4 * 4 * 27);  // 4 x 4 outputs of 4 channels, 27 products each
  CHECK_FALSE(need_of({"aten::conv2d", shapes, {}, {}}));
}

TEST_CASE("what is incomplete or unknown is not counted", "[trace][intensity]") {
  CHECK_FALSE(need_of({"aten::mm", {{4, 5}}, {}, {}}));
  CHECK_FALSE(need_of({"aten::mm", {{4, 5}, {7, 6}}, {}, {}}));
  CHECK_FALSE(need_of({"aten::relu", {{}}, {}, {}}));
  CHECK_FALSE(need_of({"aten::sort", {{8}}, {}, {}}));
}

TEST_CASE("shapes, lists and types are read as the profiler writes them", "[trace][intensity]") {
  CHECK(parse_shapes("[[64, 3], [], [[2, 2], [3]]]") == std::vector<Shape>{{64, 3}, {}, {}});
  CHECK(parse_shapes("").empty());
  CHECK(parse_list("[1, 2]") == Shape{1, 2});
  CHECK(parse_strings(R"(["float", "", "[1, 1]"])") == std::vector<std::string_view>{"float", "", "[1, 1]"});
}

TEST_CASE("thin products are bound by memory where the device is known", "[trace][intensity]") {
  tests::Story story;
  story.op("aten::mm", "[[4096, 4096], [4096, 4096]]", tests::gemm, 8000);
  story.op("aten::mm", "[[4096, 4], [4, 4096]]", tests::gemm, 100);
  const auto trace = story.trace();
  const auto nesting = nest(trace);
  const auto found = efforts(trace, nesting);
  REQUIRE(found.calls.size() == 2);
  const auto line = timeline(trace, nesting, found, peaks_of(trace.devices[0]).get());
  const Span whole{line.moments.front().begin, line.moments.back().end};
  const auto all = shares(line, {&whole, 1});
  CHECK_THAT(all[Use::arithmetic], WithinRel(8000, 1e-6));
  CHECK_THAT(all[Use::memory], WithinRel(100, 1e-6));
}

}  // namespace
