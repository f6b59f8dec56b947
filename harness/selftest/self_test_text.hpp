// What the terminal shows of a self-test.
#pragma once

#include "harness/selftest/self_test.hpp"
#include "harness/support/terminal.hpp"

#include <string>

namespace harness::selftest {

/// One line a pair: its noise, what the sessions said of it, and the smallest effect it shows.
std::string self_test_table(const SelfTest& test, const SelfTestReport& report, const Style& style);

/// The totals with their exact bounds, the pairs whose equal forms differ, and the grade.
std::string self_test_summary(const SelfTest& test, const SelfTestReport& report, const Style& style);

}  // namespace harness::selftest
