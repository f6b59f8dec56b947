#include "tests/harness/run/tested_pairs.hpp"

#include "harness/run/self_test.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

using namespace harness;
using namespace harness::run;
using Catch::Matchers::ContainsSubstring;
using example::session;

namespace {

SelfTest made_up() {
  SelfTest test;
  test.pairs.push_back(example::tested({session(Planted::nothing, Verdict::no_effect, 0.008),
                                        session(Planted::slower, Verdict::hurts, 0.008),
                                        session(Planted::nothing, Verdict::inconclusive, 0.008),
                                        session(Planted::faster, Verdict::helps, 0.008)}));
  return test;
}

std::string table(const SelfTest& test) { return self_test_table(test, report_of(test), {}); }
std::string summary(const SelfTest& test) { return self_test_summary(test, report_of(test), {}); }

/// The words of the only row.
std::string row(const SelfTest& test) {
  const auto text = table(test);
  const auto at = text.find("selftest/copy");
  return at == std::string::npos ? text : text.substr(at);
}

}  // namespace

TEST_CASE("a pair's line has its noise, its counts and the smallest effect", "[selftest]") {
  const auto text = row(made_up());
  for (const auto* part : {"0.8 %", "0/2", "1/1 (R 14)", "1/1", "1/2", "3.0 %"})
    CHECK_THAT(text, ContainsSubstring(part));
}

TEST_CASE("a noisy pair is said not to see the slowdown", "[selftest]") {
  auto test = made_up();
  for (auto& s : test.pairs[0].sessions) s.sd = 0.031;
  CHECK_THAT(row(test), ContainsSubstring("cannot see 5 % here"));
}

TEST_CASE("a pair that could not be measured says why", "[selftest]") {
  SelfTest test;
  test.pairs.push_back({.name = "selftest/device", .reason = "no CUDA device"});
  test.pairs.push_back({.name = "selftest/text", .reason = "killed", .failed = true});
  CHECK(table(test) == "  selftest/device: skipped: no CUDA device\n  selftest/text: failed: killed\n");
}

TEST_CASE("the totals carry exact bounds, rounded to the unfavourable side", "[selftest]") {
  const auto text = summary(made_up());
  CHECK_THAT(text, ContainsSubstring("0 of 2 A/A comparisons: at most 77.64 %"));  // 1 - sqrt(0.05)
  CHECK_THAT(text, ContainsSubstring("2 of 2 slowdowns of 5 %: at least 22.36 %"));
  CHECK_THAT(text, ContainsSubstring("open: too few sessions"));
}

TEST_CASE("a pair whose equal forms differ is named with its shift", "[selftest]") {
  auto test = made_up();
  test.pairs[0].aa_log_ratios.assign(28, 0.02);
  CHECK_THAT(summary(test), ContainsSubstring("layout bias    selftest/copy: equal sides differ by +2.0 %"));
}
