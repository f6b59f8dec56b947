#include "harness/libtorch/other_ranks.hpp"

#include <catch2/catch_test_macros.hpp>

#include <array>
#include <string>
#include <vector>

namespace {

using namespace harness;

const std::vector<std::string> names{"rank 0", "rank 1", "rank 2 on n3"};

std::string blamed(const Reply& one, const Reply& two, const std::string& own = {}) {
  return who_broke_it(names, std::array{Reply{}, one, two}, own);
}

TEST_CASE("who died is named, not who lost it", "[ranks]") {
  CHECK(blamed(reply_of(End::failed, "gloo/pair.cc: closed"), reply_of(End::died, "(process 7) was killed"),
               "gloo/pair.cc: closed") == "rank 2 on n3 (process 7) was killed");
}

TEST_CASE("an exception is nearer to the cause than the silence of those that wait", "[ranks]") {
  CHECK(blamed(reply_of(End::silent, "did not answer"), reply_of(End::failed, "made up")) ==
        "rank 2 on n3: made up");
  CHECK(blamed(reply_of(End::silent, "did not answer"), {.end = End::done}, "made up") == "rank 0: made up");
}

TEST_CASE("where all have lost somebody the silent one is at fault", "[ranks]") {
  CHECK(blamed(reply_of(End::silent, "is stopped"), reply_of(End::failed, "NCCL: timeout"), "gloo/timeout") ==
        "rank 1 is stopped");
}

TEST_CASE("where nobody knows better rank 0 says what it has seen", "[ranks]") {
  CHECK(blamed({.end = End::done}, {.end = End::done}, "gloo/timeout") == "rank 0: gloo/timeout");
}

}  // namespace
