#include "harness/libtorch/kineto.hpp"

#include "harness/libtorch/range.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

namespace {

using namespace harness;
using nlohmann::json;

/// What a recording of `work` holds.
json recorded(const std::function<void()>& work) {
  const auto file = std::filesystem::temp_directory_path() / ("kineto-" + std::to_string(getpid()) + ".json");
  Kineto kineto({});
  kineto.start();
  work();
  kineto.save(file.string());
  std::ifstream in(file);
  auto trace = json::parse(in);
  std::filesystem::remove(file);
  return trace;
}

const json* event_named(const json& trace, std::string_view name) {
  const auto& events = trace.at("traceEvents");
  const auto found = std::ranges::find_if(events, [&](const json& e) { return e.value("name", "") == name; });
  return found == events.end() ? nullptr : &*found;
}

TEST_CASE("the profiler stays attached once it has recorded", "[kineto]") {
  recorded([] { at::ones({4}).add_(1); });
  CHECK(profiler_attached());
}

TEST_CASE("a range is a user annotation around the operators that ran in it", "[kineto]") {
  const auto trace = recorded([] {
    const Range range("fwd");
    at::ones({4}).sum();
  });
  const auto* range = event_named(trace, "fwd");
  const auto* sum = event_named(trace, "aten::sum");
  REQUIRE(range != nullptr);
  REQUIRE(sum != nullptr);
  CHECK(range->at("cat") == "user_annotation");
  CHECK(range->at("ts") <= sum->at("ts"));
  CHECK(range->at("ts").get<double>() + range->at("dur").get<double>() >=
        sum->at("ts").get<double>() + sum->at("dur").get<double>());
}

TEST_CASE("ranges may lie within each other, with names of any length", "[kineto]") {
  const std::string longer(200, 'x');
  const auto trace = recorded([&] {
    const Range outer("ProfilerStep#7");
    const Range inner(longer);
  });
  CHECK(event_named(trace, "ProfilerStep#7") != nullptr);
  CHECK(event_named(trace, longer) != nullptr);
}

TEST_CASE("a range outside of a recording does nothing", "[kineto]") {
  const Range range("fwd");
  CHECK(at::ones({4}).sum().item<float>() == 4);
}

TEST_CASE("operators are recorded with their shapes", "[kineto]") {
  const auto trace = recorded([] { at::mm(at::ones({2, 3}), at::ones({3, 5})); });
  const auto* product = event_named(trace, "aten::mm");
  REQUIRE(product != nullptr);
  CHECK(product->at("args").at("Input Dims") == json::parse("[[2, 3], [3, 5]]"));
}

TEST_CASE("a recording that was made ready and never started leaves the next one alone", "[kineto]") {
  {
    const Kineto unused({});
  }
  CHECK(event_named(recorded([] { at::ones({2}); }), "aten::ones") != nullptr);
}

TEST_CASE("a recording that is given up leaves the next one alone", "[kineto]") {
  {
    Kineto given_up({});
    given_up.start();
    at::ones({2});
  }
  const auto trace = recorded([] { at::zeros({2}); });
  CHECK(event_named(trace, "aten::zeros") != nullptr);
  CHECK(event_named(trace, "aten::ones") == nullptr);
}

TEST_CASE("a trace replaces no pipe, as it would replace /dev/null", "[kineto]") {
  const auto pipe = std::filesystem::temp_directory_path() / ("kineto-" + std::to_string(getpid()) + ".fifo");
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  {
    Kineto kineto({});
    kineto.start();
    CHECK_THROWS_AS(kineto.save(pipe.string()), BadInput);
  }
  CHECK(std::filesystem::is_fifo(pipe));
  std::filesystem::remove(pipe);
}

}  // namespace
