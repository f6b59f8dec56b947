// What was asked of `tuneproof simulate`, and the recording that it asks for.
#pragma once

#include "harness/catalogue/program.hpp"
#include "harness/run/run_arguments.hpp"
#include "harness/simulate/recording.hpp"

namespace harness::simulate {

/// Where a workload's size can be changed, its rows are recorded small: at their own size a row takes
/// minutes.
constexpr std::string_view usual_scales = "1/128,1/64,1/32";
constexpr std::string_view own_scale = "own";  // each row once, at its own size

/// As typed.
struct SimulateArguments {
  run::RunArguments run;
  std::vector<std::string> gpus, settings;
  std::string from, record, json, trace, sweep, host;
  std::string scales;  // empty: usual_scales
  bool published = false;
  bool lines = false;
};

struct Asked {
  Recording recording;
  std::optional<int> signal = {};  // that stopped the recording
};

/// Reads it, or records it on the stand-in and stores it where that was asked. A recording that was stopped
/// keeps the rows that it has, and names those that it lost; without any it stores nothing. Throws BadInput
/// where no row can be recorded.
Asked recording_of(const SimulateArguments& arguments, const catalogue::Program& program);

}  // namespace harness::simulate
