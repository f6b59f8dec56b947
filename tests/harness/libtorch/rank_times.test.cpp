#include "harness/libtorch/team.hpp"

#include <catch2/catch_test_macros.hpp>

#include <array>

namespace {

using namespace harness;

TEST_CASE("the figures of a rank are the medians of its runs", "[ranks]") {
  RankTimes times({"rank 0", "rank 1 on n2"});
  for (const double seconds : {1.0, 5.0, 2.0})
    times.add(Form::naive, std::array{Reply{.seconds = seconds}, Reply{.seconds = 2 * seconds}});
  CHECK(times.figures().empty());  // the other form has not run yet
  times.add(Form::optimized, std::array{Reply{.seconds = 3}, Reply{.seconds = 4, .cpu_seconds = 0.5}});
  const auto figures = times.figures();
  REQUIRE(figures.size() == 4);
  CHECK(figures[0].naive == 2);
  CHECK(figures[2].name == "rank 1 on n2, time of a run");
  CHECK(figures[2].naive == 4);
  CHECK(figures[2].optimized == 4);
  CHECK(figures[3].name == "rank 1 on n2, CPU time of a run");
  CHECK(figures[3].optimized == 0.5);
}

TEST_CASE("what came before the clearing is forgotten", "[ranks]") {
  RankTimes times({"rank 0"});
  times.add(Form::naive, std::array{Reply{.seconds = 7}});
  times.add(Form::optimized, std::array{Reply{.seconds = 7}});
  times.clear();
  CHECK(times.figures().empty());
}

}  // namespace
