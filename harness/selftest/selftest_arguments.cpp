#include "harness/selftest/selftest_command.hpp"

#include <CLI/CLI.hpp>

namespace harness::selftest {
namespace {

constexpr int most_sessions = 10'000;

constexpr auto footer =
    "A session measures every pair once, in 14 rounds of fresh processes. In most sessions both\n"
    "forms are equal (A/A), so a verdict of helps or hurts is false. In the others one form is\n"
    "slowed by 5 %, and the verdict must say so. tuneproof keeps the result for this class of\n"
    "machines, and `compare` gates with it for 30 days. Read docs/selftest.md to interpret it.\n"
    "\n"
    "Examples:\n"
    "  tuneproof selftest                                 enough sessions to prove the targets\n"
    "  tuneproof selftest --budget 10m                    as many sessions as fit; none is cut short\n"
    "  tuneproof selftest --sessions 2 'selftest/copy*'   two sessions of some pairs; not kept\n"
    "  tuneproof selftest 'sync/*' --json sync.json       the tips' own rows as A/A pairs, for\n"
    "                                                      compare --selftest sync.json";

}  // namespace

void declare(CLI::App& selftest, SelfTestArguments& arguments, const catalogue::Catalogue& catalogue) {
  auto& run = arguments.surroundings;
  selftest.add_option("PATTERN", run.patterns,
                      "Globs over pairs and rows; default: all pairs of the self-test");
  run::declare_surroundings(selftest, run, catalogue);
  selftest.add_option("--budget", run.budget, "End after about this time, but finish the session: 10m, 1h")
      ->type_name("TIME");
  selftest.add_option("--sessions", arguments.sessions, "Take this many sessions; four of six are A/A")
      ->type_name("N")
      ->check(CLI::Range(1, most_sessions));
  selftest
      .add_option("--json", run.json, "Also write the self-test to FILE; - prints it instead of the table")
      ->type_name("FILE");
  selftest.footer(footer);
}

}  // namespace harness::selftest
