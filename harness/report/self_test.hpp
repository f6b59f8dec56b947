// What the terminal shows of a self-test.
#pragma once

#include "harness/report/table.hpp"
#include "harness/selftest/self_test.hpp"

#include <string>

namespace harness {

/// One line a pair: its noise, what the sessions said of it, and the smallest effect it shows.
std::string self_test_table(const SelfTest& test, const SelfTestReport& report, const Style& style);

/// The totals with their exact bounds, the pairs whose equal forms differ, and the grade.
std::string self_test_summary(const SelfTest& test, const SelfTestReport& report, const Style& style);

}  // namespace harness
