#include "harness/core/setup.hpp"
#include "harness/libtorch/rank_main.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

using namespace harness;

TEST_CASE("a rank reads the call that rank 0 has written", "[ranks]") {
  RankCall call{.number = 3,
                .size = 4,
                .share = {.number = 1, .size = 2, .number_on_node = 1},
                .patience = std::chrono::milliseconds(2500),
                .meeting = R"({"port":1})",
                .team = "team/7"};
  call.task.rows.emplace_back().name = "parallel/flat";
  call.task.rows.back().measured.pairs = 1;
  const auto read = call_from_json(call_to_json(call));
  CHECK(read.number == 3);
  CHECK(read.size == 4);
  CHECK(read.share.number == 1);
  CHECK(read.share.size == 2);
  CHECK(read.patience == call.patience);
  CHECK(read.meeting == call.meeting);
  CHECK(read.team == "team/7");
  CHECK(read.task.rows.at(0).name == "parallel/flat");
}

TEST_CASE("what is no call is wrong input", "[ranks]") {
  CHECK_THROWS_AS(call_from_json("{"), BadInput);
  CHECK_THROWS_AS(call_from_json(R"({"number": 1})"), BadInput);
}

}  // namespace
