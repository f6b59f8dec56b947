#include "harness/run/rounds.hpp"

#include "tests/harness/run/fake_runner.hpp"

#include "harness/core/verdict.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <cstdint>
#include <set>
#include <vector>

namespace harness::run {
namespace {

using namespace results;
using namespace fakes;

TEST_CASE("A session is one rehearsal and as many rounds as the first look has", "[rounds]") {
  auto results = session_of({"fast", "same"});
  FakeRunner runner(results);
  CHECK_FALSE(runner.work());
  REQUIRE(runner.passes.size() == 15);
  CHECK_FALSE(runner.passes[0].round);
  CHECK(runner.passes[14].round == 13);
  CHECK(runner.passes[14].rows[0].measured.iterations == 3);
  CHECK(results.rounds.size() == 14);
  CHECK(results.rounds[3].disturbance.involuntary_switches == 5);
  CHECK(results.rows[0].judged.verdict == Verdict::helps);
  CHECK(results.rows[1].judged.verdict == Verdict::no_effect);
}

TEST_CASE("Each round has an order of its own; the same seed draws the same orders", "[rounds]") {
  const auto orders = [](std::uint64_t seed) {
    auto results = session_of({"a", "b", "c", "d", "e"});
    results.session.seed = seed;
    FakeRunner runner(results);
    runner.work();
    std::vector<Names> all;
    for (const auto& pass : runner.passes) all.push_back(names_in(pass));
    return all;
  };
  const auto seven = orders(7);
  CHECK(seven == orders(7));
  CHECK(seven != orders(8));
  CHECK(std::set(seven.begin() + 1, seven.end()).size() > 7);
}

TEST_CASE("Only rows that were not decided go on to the next look", "[rounds]") {
  auto results = session_of({"fast", "noisy", "same"}, {14, 28, 56});
  FakeRunner runner(results);
  runner.work();
  CHECK(runner.passes.size() == 1 + 56);
  CHECK(names_in(runner.passes[14]).size() == 3);
  CHECK(names_in(runner.passes[15]) == Names{"noisy"});
  CHECK(results.rows[0].rounds == 14);
  CHECK(results.rows[1].rounds == 56);
  CHECK(results.rows[1].judged.verdict == Verdict::inconclusive);
}

TEST_CASE("What is plain after three rounds takes no more of them, and the file says how it was decided",
          "[rounds]") {
  auto results = allotted_session({"fast", "noisy", "same"});
  FakeRunner runner(results);
  runner.work();
  CHECK(results.rows[0].judged.verdict == Verdict::helps);
  CHECK(results.rows[0].rounds == 3);
  CHECK(results.rows[0].confirmed);
  CHECK(results.rows[2].judged.verdict == Verdict::no_effect);
  CHECK(results.rows[2].measured.log_ratios.size() == 3);
  CHECK(results.rows[1].measured.log_ratios.size() > 3);
  const auto& stored = runner.stored.back()["tuneproof"];
  CHECK(stored["session"]["early_looks"] == Json{3, 4, 6});
  CHECK(stored["pairs"][0]["result"]["ci_method"] == "widened-range");
  const auto read = results_from_json(runner.stored.back(), "r.json");
  CHECK(read.session.early == early_looks);
  CHECK(read.rows[0].judged.early());
}

TEST_CASE("A budget that ends after an early look leaves what is plain decided", "[rounds]") {
  auto results = allotted_session({"fast", "noisy"});
  FakeRunner runner(results);
  runner.work({.budget = Duration{Seconds(40), "40s"}});
  CHECK(results.rows[0].judged.verdict == Verdict::helps);
  CHECK(results.rows[1].rounds == 3);
  CHECK(has_flag(results.rows[1], "only 3 of 10 rounds"));
  CHECK(results.rows[1].judged.ratio_interval);
}

/// Rounds of 12 s, of which three runs of a second are timed.
bool mostly_untimed(Row& row, const Pass&) {
  row.row_seconds = 12;
  return false;
}

TEST_CASE("On a device a row that is not plain takes as many pairs as its timed part is short", "[rounds]") {
  for (const bool on_device : {true, false}) {
    INFO(on_device);
    auto results = session_of({"noisy"});
    results.session.pairs_by_share = true;
    if (on_device) results.rows[0].device = {Device::Kind::cuda, 0};
    FakeRunner runner(results);
    runner.fails = mostly_untimed;
    runner.work();
    REQUIRE(runner.passes.size() == 15);
    CHECK(runner.passes[3].rows[0].measured.pairs == 1);
    CHECK(runner.passes[4].rows[0].measured.pairs == (on_device ? 4 : 1));
    CHECK(results_from_json(runner.stored.back(), "r.json").session.pairs_by_share);
  }
}

/// A round of pairs that differ from each other, and of which no round as a whole stands apart.
Measurement pairs_that_differ(int round, int pairs) {
  Measurement measured;
  measured.pairs = pairs;
  measured.iterations = 3;
  for (int pair = 0; pair < pairs; ++pair)
    for (int quad = 0; quad < 2; ++quad)
      for (int slot = 0; slot < 4; ++slot) {
        const bool naive = (slot == 0 || slot == 3) == (quad == 0);
        measured.samples.push_back({.round = round,
                                    .pair = pair,
                                    .quad = quad,
                                    .slot = slot,
                                    .form = naive ? Form::naive : Form::optimized,
                                    .seconds = naive ? 1 : std::exp(pair % 2 == 0 ? -0.3 : 0.3)});
      }
  measured.log_ratios = {log_ratio("noisy", round)};
  measured.setup_seconds = {16};
  measured.switches = {0};
  return measured;
}

TEST_CASE("A row that goes on after the first look takes as many pairs as its noise asks for", "[rounds]") {
  for (const int asked : {1, 2}) {
    auto results = session_of({"noisy"}, {14, 28, 56});
    results.session.pairs = asked;
    FakeRunner runner(results);
    runner.fails = [](Row& row, const Pass& pass) {
      if (pass.round) row.measured = pairs_that_differ(*pass.round, row.measured.pairs);
      return pass.round.has_value();
    };
    runner.work();
    REQUIRE(runner.passes.size() == 1 + 56);
    CHECK(runner.passes[14].rows[0].measured.pairs == asked);
    CHECK(runner.passes[15].rows[0].measured.pairs ==
          (asked == 1 ? 1 : 8));  // one pair tells nothing of its noise
    CHECK(runner.passes[56].rows[0].measured.pairs == (asked == 1 ? 1 : 8));
  }
}

TEST_CASE("Between looks no verdict falls: the last look's stands", "[rounds]") {
  auto results = session_of({"noisy"}, {14, 28, 56});
  FakeRunner runner(results);
  runner.work();
  const auto at_20 = runner.stored.at(20)["tuneproof"]["pairs"][0];
  CHECK(at_20["round_log_ratios"].size() == 20);
  CHECK(at_20["result"]["rounds"] == 14);
  CHECK(at_20["result"]["ratio"] == runner.stored.at(14)["tuneproof"]["pairs"][0]["result"]["ratio"]);
  CHECK(runner.stored.at(13)["tuneproof"]["pairs"][0]["result"]["verdict"] == "inconclusive");
}

TEST_CASE("Results are stored after the rehearsal and after each round", "[rounds]") {
  auto results = session_of({"fast"});
  FakeRunner runner(results);
  runner.work();
  REQUIRE(runner.stored.size() >= 15);
  for (std::size_t i = 0; i < 15; ++i) CHECK(runner.stored[i]["tuneproof"]["rounds"].size() == i);
}

TEST_CASE("A row that fails in a round is failed, and left out of the rounds after it", "[rounds]") {
  auto results = session_of({"same", "dies"});
  FakeRunner runner(results);
  runner.fails = failing("dies", 6);
  runner.work();
  CHECK(results.rows[1].judged.verdict == Verdict::failed);
  CHECK(results.rows[1].stage == "worker");
  CHECK(results.rows[1].measured.samples.empty());
  CHECK(names_in(runner.passes[8]) == Names{"same"});
  CHECK(results.rows[0].judged.verdict == Verdict::no_effect);
}

TEST_CASE("A row that cannot be rehearsed is never timed", "[rounds]") {
  auto results = session_of({"dies", "same"});
  FakeRunner runner(results);
  runner.fails = [](Row& row, const Pass&) {
    if (row.name != "dies") return false;
    row.judged.verdict = Verdict::skipped;
    row.reason = "needs two sockets";
    return true;
  };
  runner.work();
  CHECK(results.rows[0].reason == "needs two sockets");
  CHECK(names_in(runner.passes[1]) == Names{"same"});
}

TEST_CASE("Rows that were skipped from the start are in no pass", "[rounds]") {
  auto results = session_of({"cuda", "same"});
  results.rows[0].judged.verdict = Verdict::skipped;
  FakeRunner runner(results);
  runner.work();
  CHECK(names_in(runner.passes[0]) == Names{"same"});
}

TEST_CASE("A session in which every row is skipped runs no pass and is stored", "[rounds]") {
  auto results = session_of({"cuda"});
  results.rows[0].judged.verdict = Verdict::skipped;
  FakeRunner runner(results);
  runner.work();
  CHECK(runner.passes.empty());
  CHECK(runner.stored.size() == 1);
}

}  // namespace
}  // namespace harness::run
