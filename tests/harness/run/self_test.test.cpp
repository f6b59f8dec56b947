#include "harness/run/self_test.hpp"

#include "tests/harness/run/tested_pairs.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cmath>

using namespace harness;
using namespace harness::run;
using example::session;
using example::tested;

namespace {

const auto nothing = Planted::nothing;
const auto slower = Planted::slower;
const auto faster = Planted::faster;

/// So many like pairs, each with so many A/A sessions and slowdowns that were found.
SelfTest like_pairs(int pairs, int aa, int planted, double sd = 0.005) {
  SelfTest test;
  for (int i = 0; i < pairs; ++i) {
    TestedPair pair{.name = "pair " + std::to_string(i)};
    for (int s = 0; s < aa; ++s) example::add(pair, session(nothing, Verdict::no_effect, sd));
    for (int s = 0; s < planted; ++s) example::add(pair, session(slower, Verdict::hurts, sd));
    test.pairs.push_back(pair);
  }
  return test;
}

}  // namespace

TEST_CASE("a claim about equal forms is false, in either direction", "[selftest]") {
  const auto pair = tested({session(nothing, Verdict::helps), session(nothing, Verdict::hurts),
                            session(nothing, Verdict::inconclusive), session(nothing, Verdict::no_effect)});
  const auto report = report_of(pair, {});
  CHECK(report.false_claims == Rate{2, 4});
  CHECK(report.equal == Rate{1, 4});
}

TEST_CASE("a slowdown is found where the verdict has its direction", "[selftest]") {
  const auto pair = tested({session(slower, Verdict::hurts), session(slower, Verdict::helps),
                            session(faster, Verdict::helps), session(faster, Verdict::inconclusive)});
  const auto report = report_of(pair, {});
  CHECK(report.found == Rate{1, 2});
  CHECK(report.mirror_found == Rate{1, 2});
  CHECK(report.false_claims == Rate{0, 0});
}

TEST_CASE("a pair's noise is the median of its A/A sessions", "[selftest]") {
  auto pair = tested({session(nothing, Verdict::no_effect, 0.01), session(nothing, Verdict::no_effect, 0.02),
                      session(nothing, Verdict::no_effect, 0.30), session(slower, Verdict::hurts, 0.50)});
  const auto report = report_of(pair, {});
  CHECK(report.sd == Catch::Approx(0.02));
  CHECK(report.sees);
  pair.sessions[1].sd = 0.031;
  CHECK_FALSE(report_of(pair, {}).sees);
}

TEST_CASE("a pair that was never measured sees nothing", "[selftest]") {
  CHECK_FALSE(report_of(TestedPair{.name = "p", .reason = "no device"}, {}).sees);
}

TEST_CASE("nu is the largest distance of few A/A ratios from 1", "[selftest]") {
  auto pair = tested({session(nothing, Verdict::no_effect), session(nothing, Verdict::no_effect)});
  pair.sessions[0].ratio = 0.96;
  pair.sessions[1].ratio = 1.01;
  CHECK(report_of(pair, {}).nu == Catch::Approx(0.04));
}

TEST_CASE("a shift of equal forms that is not an accident is layout bias", "[selftest]") {
  auto pair = tested({session(nothing, Verdict::no_effect)});
  pair.aa_log_ratios.assign(28, 0.012);
  const auto report = report_of(pair, {});
  CHECK(report.layout_bias);
  CHECK(report.shift == Catch::Approx(std::exp(0.012)));
  pair.aa_log_ratios.assign(28, 0.009);  // less than half of delta
  CHECK_FALSE(report_of(pair, {}).layout_bias);
  for (int i = 0; i < 14; ++i) pair.aa_log_ratios[static_cast<std::size_t>(2 * i)] = i % 2 == 0 ? -0.1 : 0.1;
  CHECK_FALSE(report_of(pair, {}).layout_bias);  // the interval holds 0
}

TEST_CASE("equal forms are judged over the A/A rounds of all sessions", "[selftest]") {
  auto pair = tested({session(nothing, Verdict::inconclusive)});
  pair.aa_log_ratios.assign(13, 0.0);
  CHECK_FALSE(report_of(pair, {}).all_rounds);
  pair.aa_log_ratios.assign(14, 0.0);
  CHECK(report_of(pair, {}).all_rounds == Verdict::no_effect);
}

TEST_CASE("300 comparisons without a false claim and 60 slowdowns found are an A", "[selftest]") {
  const auto report = report_of(like_pairs(20, 15, 3));
  CHECK(report.false_claims == Rate{0, 300});
  CHECK(report.found == Rate{60, 60});
  CHECK(report.equal == Rate{20, 20});
  CHECK(report.grade == Grade::a);
}

TEST_CASE("too few sessions leave the grade open", "[selftest]") {
  CHECK(report_of(like_pairs(20, 4, 3)).grade == Grade::open);
  CHECK(report_of(like_pairs(20, 15, 2)).grade == Grade::open);
  CHECK(report_of(SelfTest{}).grade == Grade::open);
}

TEST_CASE("one false claim of 300 is a C: it no longer proves 1 %", "[selftest]") {
  auto test = like_pairs(20, 15, 3);
  test.pairs[3].sessions[0].verdict = Verdict::hurts;
  CHECK(report_of(test).grade == Grade::c);
}

TEST_CASE("false claims that refute the target need no 300 comparisons", "[selftest]") {
  auto test = like_pairs(20, 1, 0);
  for (const auto i : {0U, 1U, 2U}) test.pairs[i].sessions[0].verdict = Verdict::helps;
  CHECK(report_of(test).grade == Grade::c);
}

TEST_CASE("a slowdown that a quiet pair missed is a C, that a noisy pair missed is not", "[selftest]") {
  auto test = like_pairs(20, 15, 3);
  test.pairs.push_back(test.pairs[0]);
  for (auto& s : test.pairs.back().sessions) {
    if (s.planted == slower) s.verdict = Verdict::inconclusive;
    s.sd = 0.04;
  }
  CHECK(report_of(test).grade == Grade::a);
  for (auto& s : test.pairs.back().sessions) s.sd = 0.025;
  CHECK(report_of(test).grade == Grade::c);
}

TEST_CASE("fewer than nine of ten pairs that see 5 % are a B", "[selftest]") {
  auto test = like_pairs(20, 15, 4);
  for (const auto i : {0U, 1U, 2U})
    for (auto& s : test.pairs[i].sessions) s.sd = 0.04;
  const auto report = report_of(test);
  CHECK(report.sees == Rate{17, 20});
  CHECK(report.grade == Grade::b);
}

TEST_CASE("quiet pairs whose equality is not shown are a C", "[selftest]") {
  auto test = like_pairs(20, 15, 3);
  for (const auto i : {0U, 1U})
    for (std::size_t r = 0; r < test.pairs[i].aa_log_ratios.size(); ++r)
      test.pairs[i].aa_log_ratios[r] = r % 2 == 0 ? -0.05 : 0.05;
  CHECK(report_of(test).equal == Rate{18, 20});
  CHECK(report_of(test).grade == Grade::c);
}

TEST_CASE("the noise of a pair is there where it had A/A sessions", "[selftest]") {
  auto test = like_pairs(1, 1, 0);
  test.pairs[0].sessions[0].ratio = 1.03;
  CHECK(noise_of(test, "pair 0").value() == Catch::Approx(0.03));
  CHECK_FALSE(noise_of(test, "pair 1"));
  test.pairs[0].sessions.clear();
  CHECK_FALSE(noise_of(test, "pair 0"));
}
