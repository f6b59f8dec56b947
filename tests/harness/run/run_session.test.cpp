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

results::Row row_on(const Device& device, Verdict verdict, std::size_t rounds) {
  results::Row row;
  row.device = device;
  row.judged.verdict = verdict;
  row.rounds = static_cast<int>(rounds);
  row.measured.iterations = 3;
  row.measured.log_ratios.assign(rounds, -0.01);
  return row;
}

TEST_CASE("on another card the rows of a device that have no verdict start anew, and no others", "[run]") {
  const Device card{Device::Kind::cuda, 0};
  results::Results results;
  results.session.looks = {10};
  results.rows = {row_on(card, Verdict::inconclusive, 4), row_on(card, Verdict::helps, 10),
                  row_on({}, Verdict::inconclusive, 4), row_on(card, Verdict::inconclusive, 0)};
  CHECK(run::restart_open_rows(results) == 1);
  CHECK(results.rows[0].measured.log_ratios.empty());
  CHECK(results.rows[0].measured.iterations == 0);  // so it is rehearsed on the new card
  CHECK(results.rows[1].measured.log_ratios.size() == 10);
  CHECK(results.rows[2].measured.log_ratios.size() == 4);
  CHECK(results.rows[3].measured.iterations == 3);
}

}  // namespace
