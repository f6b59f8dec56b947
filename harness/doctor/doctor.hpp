// `tuneproof doctor`: is this machine fit to measure on?
#pragma once

#include "harness/catalogue/program.hpp"
#include "harness/doctor/check.hpp"
#include "harness/support/style.hpp"

#include <string>
#include <vector>

namespace harness::doctor {

/// Declares the subcommand.
void add_doctor(CLI::App& app, const catalogue::Program& program, catalogue::Action& chosen);

/// One line per check; why it matters and how to fix it below those that are not well.
std::string doctor_text(const std::vector<Check>& checks, const Style& style);
/// The same as JSON; null where unknown.
std::string doctor_json(const std::vector<Check>& checks);
/// 1 where a GPU is present but unusable, else 0.
int doctor_exit(const std::vector<Check>& checks);

}  // namespace harness::doctor
