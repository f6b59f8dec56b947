// STGym's knobs beside its switches, as plain data. No LibTorch.
#pragma once

#include "harness/catalogue/knob.hpp"

#include "workloads/stgym/space/switches.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace workloads::stgym {

/// Epochs that one trial trains: two in each of its eight parts.
constexpr std::int64_t tuned_epochs = 16;

/// The standard batch is that of --batch-size or --config.
std::vector<harness::catalogue::Knob> knobs(const harness::catalogue::TuningPlace& place);

/// What `tuneproof tune` knows of STGym.
const harness::catalogue::TunableWorkload& tunable();

/// What no form has together.
std::span<const harness::catalogue::Clash> clashes();

/// Every kept rung, and what the settings ask for.
Switches switches_of(const harness::catalogue::Settings& settings);

}  // namespace workloads::stgym
