#include "harness/core/setup.hpp"
#include "harness/libtorch/place.hpp"

#include <catch2/catch_test_macros.hpp>

#include <vector>

namespace {

using namespace harness;

bool is_share(const Share& share, int number, int size, int number_on_node) {
  return share.number == number && share.size == size && share.number_on_node == number_on_node;
}

TEST_CASE("ranks of one node that may use the same processors share them", "[ranks]") {
  const std::vector<Whereabouts> all{{"n1", {0, 1}}, {"n1", {0, 1}}, {"n2", {0, 1}}, {"n2", {0, 1}}};
  CHECK(is_share(share_among(all, 0), 0, 2, 0));
  CHECK(is_share(share_among(all, 1), 1, 2, 1));
  CHECK(is_share(share_among(all, 2), 0, 2, 0));
  CHECK(is_share(share_among(all, 3), 1, 2, 1));
  CHECK(ranks_beside(all) == 2);
}

TEST_CASE("ranks that a launcher has bound keep their processors, and count on their node", "[ranks]") {
  const std::vector<Whereabouts> all{{"n1", {0}}, {"n2", {0}}, {"n1", {1}}};
  CHECK(is_share(share_among(all, 0), 0, 1, 0));
  CHECK(is_share(share_among(all, 1), 0, 1, 0));
  CHECK(is_share(share_among(all, 2), 0, 1, 1));
}

TEST_CASE("whereabouts come out of their JSON as they went in", "[ranks]") {
  const auto read = whereabouts_from_json(whereabouts_to_json({"n \"2\"", {3, 5}}));
  CHECK(read.node == "n \"2\"");
  CHECK(read.cpus == std::vector{3, 5});
  CHECK_THROWS_AS(whereabouts_from_json("{}"), harness::BadInput);
}

}  // namespace
