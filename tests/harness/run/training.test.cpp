#include "harness/run/training.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <string>

namespace harness::run {
namespace {

using Catch::Matchers::ContainsSubstring;

TEST_CASE("an order comes back whole from its text", "[training]") {
  const TrainingOrder order{.workload = "gpt",
                            .settings = {{"batch_size", "32"}},
                            .options = {{"text", "a \"b\".txt"}},
                            .device = {Device::Kind::cuda, 1},
                            .threads = 4,
                            .data_seed = ~std::uint64_t{0},
                            .loader = "/proc/self/exe"};
  const auto read = order_from_json(order_to_json(order));
  CHECK(read.workload == order.workload);
  CHECK(read.settings == order.settings);
  CHECK(read.options == order.options);
  CHECK(read.device == order.device);
  CHECK(read.threads == order.threads);
  CHECK(read.data_seed == order.data_seed);
  CHECK(read.loader == order.loader);
}

TEST_CASE("a text that is no order is refused by place", "[training]") {
  CHECK_THROWS_WITH(order_from_json("{]"), ContainsSubstring("order"));
  CHECK_THROWS_WITH(order_from_json(R"({"workload": "gpt"})"), ContainsSubstring("settings"));
}

}  // namespace
}  // namespace harness::run
