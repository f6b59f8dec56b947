#include "harness/run/training.hpp"

#include "harness/core/setup.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <string>

namespace harness::run {
namespace {

using Catch::Matchers::ContainsSubstring;

TEST_CASE("an order comes back whole from its line", "[training]") {
  const TrainingOrder order{.workload = "gpt",
                            .settings = {{"batch_size", "32"}},
                            .options = {{"text", "a \"b\".txt"}},
                            .amount = 1024,
                            .device = {Device::Kind::cuda, 1},
                            .threads = 4,
                            .data_seed = ~std::uint64_t{0},
                            .loader = "/proc/self/exe",
                            .parent = 17};
  const auto line = order_to_json(order);
  CHECK(line.find('\n') == line.size() - 1);
  const auto read = order_from_json(line);
  CHECK(read.workload == order.workload);
  CHECK(read.settings == order.settings);
  CHECK(read.options == order.options);
  CHECK(read.amount == order.amount);
  CHECK(read.device == order.device);
  CHECK(read.threads == order.threads);
  CHECK(read.data_seed == order.data_seed);
  CHECK(read.loader == order.loader);
  CHECK(read.parent == order.parent);
}

TEST_CASE("every event of a training comes back from its line", "[training]") {
  const TrainingEvent events[] = {PartTrained{3, 1e-3}, Trained{1e-3, 5e6, 1.5, 1024},
                                  NotTrained{NotTrained::Why::impossible, "no compiler"},
                                  NotTrained{NotTrained::Why::bad_input, "--text: no file"}};
  for (const auto& event : events) CHECK(training_event_from_json(training_event_to_json(event)) == event);
}

TEST_CASE("a line that is not an event is refused by place", "[training]") {
  CHECK_THROWS_WITH(training_event_from_json("{]"), ContainsSubstring("event"));
  CHECK_THROWS_WITH(training_event_from_json(R"({"event": "sing"})"), ContainsSubstring("'sing'"));
  CHECK_THROWS_WITH(training_event_from_json(R"({"event": "part", "part": 9, "seconds_per_sample": 1})"),
                    ContainsSubstring("event.part"));
  CHECK_THROWS_WITH(training_event_from_json(R"({"event": "part", "part": 1, "seconds_per_sample": -1})"),
                    ContainsSubstring("seconds_per_sample"));
  CHECK_THROWS_WITH(order_from_json(R"({"workload": "gpt"})"), ContainsSubstring("settings"));
}

}  // namespace
}  // namespace harness::run
