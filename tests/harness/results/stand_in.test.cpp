#include "harness/results/stand_in.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>

namespace harness::results {
namespace {

constexpr auto name = "stand-in (no times)";

Json fingerprint_json(const Json& gpu) {
  return {{"id", nullptr}, {"hard", {{"machine", {{"gpu", gpu}}}}}, {"soft", Json::object()}};
}

TEST_CASE("The stand-in is known by its device's name in every kind of file", "[stand_in]") {
  const auto fingerprint = fingerprint_json({{"name", name}});
  CHECK(on_stand_in(Json{{"tuneproof", {{"fingerprint", fingerprint}}}}));
  CHECK(on_stand_in(Json{{"schema", "tuneproof.selftest/1.1"}, {"fingerprint", fingerprint}}));
  CHECK(on_stand_in(Json{{"context", {{"gpu", name}}}, {"benchmarks", Json::array()}}));
  Fingerprint taken;
  taken.hard = fingerprint["hard"];
  CHECK(on_stand_in(taken));
}

TEST_CASE("A GPU, no GPU and a file that names none are not stand-ins", "[stand_in]") {
  for (const auto& gpu :
       {Json(nullptr), Json{{"name", "NVIDIA H200"}}, Json{{"name", nullptr}}, Json("text")}) {
    const auto fingerprint = fingerprint_json(gpu);
    CHECK_FALSE(on_stand_in(Json{{"tuneproof", {{"fingerprint", fingerprint}}}}));
    CHECK_FALSE(on_stand_in(Json{{"fingerprint", fingerprint}}));
  }
  CHECK_FALSE(on_stand_in(Json::object()));
  CHECK_FALSE(on_stand_in(Json::array()));
  CHECK_FALSE(on_stand_in(Fingerprint()));
  CHECK_FALSE(is_stand_in("NVIDIA stand-in"));
}

TEST_CASE("A file of the stand-in is refused with a sentence that names it and the option", "[stand_in]") {
  CHECK_THROWS_WITH(check_stand_in(true, StandIn::refuse, "r.json"),
                    "r.json: was measured on the stand-in device, so its times mean nothing; add "
                    "--allow-stand-in to use it anyway");
  CHECK_NOTHROW(check_stand_in(true, StandIn::allow, "r.json"));
  CHECK_NOTHROW(check_stand_in(false, StandIn::refuse, "r.json"));
}

}  // namespace
}  // namespace harness::results
