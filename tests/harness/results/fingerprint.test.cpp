#include "harness/results/fingerprint.hpp"

#include "harness/core/setup.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>

#include <vector>

namespace harness::results {
namespace {

TEST_CASE("The fingerprint's id does not depend on the order of the fields", "[fingerprint]") {
  const Json one = {{"a", 1}, {"b", {{"c", 2}, {"d", 3}}}};
  const Json other = {{"b", {{"d", 3}, {"c", 2}}}, {"a", 1}};
  CHECK(fingerprint_id(one) == fingerprint_id(other));
  CHECK(fingerprint_id(one) != fingerprint_id({{"a", 2}}));
}

TEST_CASE("The class of machine knows no driver, no library and no UUID", "[fingerprint]") {
  Fingerprint one;
  one.hard = {{"machine", {{"cpu_model", "A CPU"}}}, {"software", {{"driver", "570.1"}}}};
  one.info = {{"gpu_uuid", "GPU-1"}};
  auto other = one;
  other.hard["software"]["driver"] = "580.2";
  other.info["gpu_uuid"] = "GPU-2";
  CHECK(machine_class(one) == machine_class(other));
  CHECK(software_class(one) != software_class(other));
  other.hard["machine"]["cpu_model"] = "Another CPU";
  CHECK(machine_class(one) != machine_class(other));
}

TEST_CASE("Fingerprints differ in the fields that both have; one that was not recorded tells nothing",
          "[fingerprint]") {
  const Json base = {{"software", {{"libtorch", "2.10"}, {"cuda_runtime", "13.0"}}},
                     {"machine", {{"gpu", nullptr}}}};
  const Json current = {{"software", {{"libtorch", "2.11"}, {"cuda_runtime", "13.0"}, {"driver", "580"}}},
                        {"machine", {{"gpu", "H200"}}}};
  CHECK(differences(base, current) ==
        std::vector<Difference>{{"machine.gpu", "none", "H200"}, {"software.libtorch", "2.10", "2.11"}});
  CHECK(differences(base, base).empty());
}

TEST_CASE("A machine with a GPU differs from one without", "[fingerprint]") {
  const Json without = {{"machine", {{"gpu", nullptr}}}};
  const Json with = {{"machine", {{"gpu", {{"name", "A100"}}}}}};
  CHECK(differences(without, with) == std::vector<Difference>{{"machine.gpu", "none", "some"}});
  CHECK(differences(with, with).empty());
}

TEST_CASE("An old file's power limit is read as the machine's, so that two limits are two classes",
          "[fingerprint]") {
  const auto read = [](const Json& soft, const Json& gpu) {
    const Json json = {{"id", "sha256:old"},
                       {"hard", {{"machine", {{"gpu", gpu}}}}},
                       {"soft", soft},
                       {"info", Json::object()}};
    return fingerprint_from_json(Field(json, "f"));
  };
  const auto old = read({{"gpu_power_limit_mw", 450'000}}, {{"name", "A"}});
  const auto now = read(Json::object(), {{"name", "A"}, {"power_limit_w", 450}});
  const auto lower = read(Json::object(), {{"name", "A"}, {"power_limit_w", 300}});
  CHECK(old.hard == now.hard);
  CHECK(machine_class(old) == machine_class(now));
  CHECK(machine_class(lower) != machine_class(now));
  CHECK_FALSE(old.soft.contains("gpu_power_limit_mw"));
  CHECK(old.id != "sha256:old");  // it is of the hard part, as everywhere
  CHECK(differences(old.hard, lower.hard) ==
        std::vector<Difference>{{"machine.gpu.power_limit_w", "450", "300"}});
  CHECK(read({{"gpu_power_limit_mw", 450'000}}, nullptr).hard["machine"]["gpu"].is_null());
  CHECK(read({{"gpu_power_limit_mw", 1e308}}, {{"name", "A"}})
            .hard["machine"]["gpu"]["power_limit_w"]
            .is_null());
}

TEST_CASE("What the worker could not tell is null in the fingerprint, never guessed", "[fingerprint]") {
  BuildInfo build{};
  build.compiler = "GNU 12";
  const auto fingerprint = take_fingerprint(Json::object(), build);
  CHECK(fingerprint.hard["machine"]["gpu"].is_null());
  CHECK(fingerprint.hard["software"]["libtorch"].is_null());
  CHECK(fingerprint.hard["software"]["compiler"] == "GNU 12");
}

TEST_CASE("A fingerprint without the facts that tell machines apart is refused", "[fingerprint]") {
  Json hard = {{"machine", {{"cpu_model", "A"}, {"logical_cpus", 2}, {"memory_gib", 4}, {"gpu", nullptr}}},
               {"software", {{"libtorch", "2.11"}, {"cuda_runtime", nullptr}}}};
  const auto read = [](const Json& json) { require_facts(Field(json, "f.hard")); };
  CHECK_NOTHROW(read(hard));
  CHECK_THROWS_WITH(read(Json::object()), "f.hard: 'machine' is missing");
  for (const auto& name : {Json(1), Json(nullptr)}) {
    auto of_gpu = hard;
    of_gpu["machine"]["gpu"] = {{"name", name}};
    CHECK_THROWS_AS(read(of_gpu), BadInput);
  }
  hard["software"]["libtorch"] = 2;
  CHECK_THROWS_WITH(read(hard), "f.hard.software.libtorch: expected a string, not number");
  hard["machine"]["gpu"] = "none";
  CHECK_THROWS_WITH(read(hard), "f.hard.machine.gpu: expected an object, not string");
}

TEST_CASE("A part of a fingerprint that has not its form is refused when it is read", "[fingerprint]") {
  const auto read = [](const Json& hard, const Json& info) {
    const Json json = {{"hard", hard}, {"soft", Json::object()}, {"info", info}};
    return fingerprint_from_json(Field(json, "f"));
  };
  const Json list = {1}, none = Json::object();
  CHECK_NOTHROW(read(none, none));
  CHECK_NOTHROW(read(none, {{"resumed_on", {"GPU-1"}}}));
  CHECK_THROWS_WITH(read({{"machine", list}}, none), "f.hard.machine: expected an object, not array");
  CHECK_THROWS_WITH(read({{"software", list}}, none), "f.hard.software: expected an object, not array");
  for (const auto& card : {Json(5), Json(nullptr)})
    CHECK_THROWS_AS(read(none, {{"resumed_on", card}}), BadInput);
  CHECK_THROWS_AS(read(none, {{"resumed_on", list}}), BadInput);
  CHECK_THROWS_WITH(read(none, {{"resumed_on", Json::array()}}), "f.info.resumed_on: expected a card");
}

}  // namespace
}  // namespace harness::results
