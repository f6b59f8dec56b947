#include "harness/pages/run_data.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

using namespace harness;
using namespace harness::pages;
using Catch::Matchers::WithinRel;

TEST_CASE("a published pair of times becomes the ratio of a row", "[page]") {
  const auto pairs = published_pairs("21 -> 19 s/epoch (A30)");
  REQUIRE(pairs.size() == 1);
  CHECK(pairs[0].before == 21);
  CHECK(pairs[0].after == 19);
  CHECK(pairs[0].unit == "s/epoch");
  CHECK(pairs[0].where == "A30");
  CHECK_THAT(pairs[0].ratio, WithinRel(19.0 / 21.0));
}

TEST_CASE("of a rate more is faster", "[page]") {
  const auto pairs = published_pairs("2.5 -> 5 GB/s (NVS 4200M)");
  REQUIRE(pairs.size() == 1);
  CHECK(pairs[0].ratio == 0.5);
}

TEST_CASE("each clause with a pair of its own is one", "[page]") {
  const auto pairs = published_pairs("2.31 -> 5.77 GB/s (NVS 4200M); 5.37 -> 6.19 GB/s (GTX 680); 16 MB");
  REQUIRE(pairs.size() == 2);
  CHECK(pairs[1].where == "GTX 680");
}

TEST_CASE("what stands behind the unit does not hide a pair", "[page]") {
  const auto pairs = published_pairs("3.8 -> 3.4 us for each of 20 kernels of 2.9 us (V100)");
  REQUIRE(pairs.size() == 1);
  CHECK(pairs[0].where == "V100");
}

TEST_CASE("texts that say no pair of times give none", "[page]") {
  for (const auto* text :
       {"no figure", "", "workers 0 -> 5: Self CPU up to 32 s (A30)", "22 % (ResNet-50)",
        "part of CUDA 3.9 -> 3.0 s (A30)", "3 -> 4 calls", "0 -> 5 s", "5 -> s", "1 -> 2",
        "569 -> 491 ms pageable, 363 -> 339 ms pinned (1000 tensors)", "-> 3 s", "-1 -> 2 s"})
    CHECK(published_pairs(text).empty());
}
