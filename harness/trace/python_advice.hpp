// What a PyTorch user would type against a finding: the lines of docs/in_python that its steps change.
#pragma once

#include "harness/support/terminal.hpp"
#include "harness/trace/findings.hpp"

namespace harness::trace {

/// The changed lines of the first step that has some, for the report; empty where there are
/// none, and where the steps show what the trace does already.
std::string python_advice(const Finding& finding, const Style& style);

}  // namespace harness::trace
