#include "harness/run/select.hpp"

#include <catch2/catch_test_macros.hpp>

#include <stdexcept>

namespace harness::run {
namespace {

Trial prepare_nothing(Setup&, const Point&) { return {}; }

constexpr Axis axes[] = {{.name = "n", .about = "size", .values = {1, 2}}};
constexpr Step copy{.id = "transfer/copy",
                    .claim = "Copies.",
                    .source = {},
                    .runs = Runs::cuda,
                    .axes = axes,
                    .prepare = prepare_nothing,
                    .expectation = {},
                    .suite = Suite::quick};
constexpr Step copy_back{.id = "transfer/copy_back",
                         .claim = "Copies.",
                         .source = {},
                         .runs = Runs::each,
                         .axes = axes,
                         .prepare = prepare_nothing,
                         .expectation = {},
                         .suite = Suite::quick};
constexpr const Step* table[] = {&copy, &copy_back};

TEST_CASE("A row is found by its name, with its point and its device", "[find_row]") {
  const auto found = find_row(table, "transfer/copy_back/n:2/device:cuda", 3);
  CHECK(found.step == &copy_back);
  CHECK(found.point["n"] == 2);
  CHECK(found.device == Device{Device::Kind::cuda, 3});
}

TEST_CASE("A step whose name begins another's is not taken for it", "[find_row]") {
  CHECK(find_row(table, "transfer/copy/n:1", 0).step == &copy);
  CHECK(find_row(table, "transfer/copy_back/n:1/device:cpu", 0).device == Device{});
}

TEST_CASE("A row that no step has is an error", "[find_row]") {
  CHECK_THROWS_AS(find_row(table, "transfer/copy/n:3", 0), std::out_of_range);
  CHECK_THROWS_AS(find_row(table, "transfer/copy/n:1/device:cpu", 0), std::out_of_range);
}

}  // namespace
}  // namespace harness::run
