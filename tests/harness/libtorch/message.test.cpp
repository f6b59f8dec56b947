#include "harness/libtorch/message.hpp"

#include <catch2/catch_test_macros.hpp>

#include <vector>

namespace {

using harness::Answer;
using harness::libtorch::digest_of;

TEST_CASE("answers of other bits have other digests", "[ranks]") {
  const auto digest = digest_of(Answer(std::vector{1.F, 2.F}));
  CHECK(digest == digest_of(Answer(std::vector{1.F, 2.F})));
  CHECK(digest != digest_of(Answer(std::vector{2.F, 1.F})));
  CHECK(digest_of(Answer(std::vector{0.F})) != digest_of(Answer(std::vector{-0.F})));
}

TEST_CASE("an empty answer has no say", "[ranks]") { CHECK(digest_of(Answer(std::vector<float>())) == 0); }

}  // namespace
