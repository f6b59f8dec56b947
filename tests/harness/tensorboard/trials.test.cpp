#include "harness/tensorboard/trials.hpp"

#include "tests/harness/tensorboard/records.hpp"

#include <catch2/catch_test_macros.hpp>

#include <array>
#include <string>

namespace {

using namespace harness::tensorboard;

const Trial trial{.name = "trial 0",
                  .started = 1,
                  .ended = 2,
                  .settings = {{"batch", 16.}, {"kind", std::string("threads")}, {"pin", true}},
                  .results = {{"loss", 0.5}}};

TEST_CASE("a trial is its settings, its results, and how it ended", "[tensorboard]") {
  const auto events = events_of(trial_file(trial));
  REQUIRE(events.size() == 4);
  CHECK(events[1].find("_hparams_/session_start_info") != std::string::npos);
  CHECK(events[2].find("loss") != std::string::npos);
  CHECK(events[3].find("_hparams_/session_end_info") != std::string::npos);
}

TEST_CASE("a setting is a number, a text or a flag", "[tensorboard]") {
  const auto start = events_of(trial_file(trial)).at(1);
  // Each an entry of the map: its name (field 1), then a Value (field 2) with field 2, 3 or 4.
  CHECK(start.find(std::string("\x0A\x05"
                               "batch\x12\x09\x11\0\0\0\0\0\0\x30\x40",
                               18)) != std::string::npos);
  CHECK(start.find("\x0A\x04kind\x12\x09\x1A\x07threads") != std::string::npos);
  CHECK(start.find("\x0A\x03pin\x12\x02\x20\x01") != std::string::npos);
}

TEST_CASE("the experiment names each knob with its type, and each result", "[tensorboard]") {
  const std::array trials{trial, Trial{.name = "trial 1", .started = 3, .settings = {{"rate", 1.}}}};
  const auto event = events_of(experiment_file(trials)).at(1);
  CHECK(event.find("\x0A\x05"
                   "batch\x20\x03") != std::string::npos);
  CHECK(event.find("\x0A\x04kind\x20\x01") != std::string::npos);
  CHECK(event.find("\x0A\x03pin\x20\x02") != std::string::npos);
  CHECK(event.find("\x0A\x04rate\x20\x03") != std::string::npos);
  CHECK(event.find("\x0A\x06\x12\x04loss") != std::string::npos);
}

}  // namespace
