#include "harness/run/run_session.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

using namespace harness;

results::Fingerprint on(const Json& uuid) {
  results::Fingerprint fingerprint;
  fingerprint.info["gpu_uuid"] = uuid;
  return fingerprint;
}

TEST_CASE("a session that goes on with another card of the same kind lists the cards in turn", "[run]") {
  auto session = on("GPU-1");
  CHECK_FALSE(run::note_other_card(session, on("GPU-1")));
  CHECK_FALSE(session.info.contains("resumed_on"));
  CHECK(run::note_other_card(session, on("GPU-2")));
  CHECK_FALSE(run::note_other_card(session, on("GPU-2")));
  CHECK(run::note_other_card(session, on("GPU-1")));
  CHECK(session.info["resumed_on"] == Json{"GPU-2", "GPU-1"});
  CHECK(session.info["gpu_uuid"] == "GPU-1");
}

TEST_CASE("where a card has no number nobody knows whether it is another one", "[run]") {
  auto session = on(nullptr);
  CHECK_FALSE(run::note_other_card(session, on("GPU-2")));
  session = on("GPU-1");
  CHECK_FALSE(run::note_other_card(session, on(nullptr)));
  CHECK_FALSE(session.info.contains("resumed_on"));
}

}  // namespace
