// Records what rows ask of a device: each form runs once on the stand-in (tests/stand_in), which notes its
// calls.
#pragma once

#include "harness/catalogue/program.hpp"
#include "harness/run/run_arguments.hpp"
#include "harness/simulate/recording.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace harness::simulate {

/// What the stand-in and the worker wrote: calls between marks. Throws BadInput naming file and line.
Recording calls_from_text(std::string_view text, const std::string& name);

/// A row that could not be recorded, and why.
struct NotRecorded {
  std::string row, reason;
};

struct Recorded {
  Recording recording;
  std::vector<NotRecorded> left_out;
  bool stopped = false;  // by a signal: rows are missing
};

/// Records the CUDA rows that the arguments select. Throws BadInput where nothing matches or the stand-in is
/// not built.
Recorded record_rows(const run::RunArguments& arguments, const catalogue::Program& program,
                     const std::function<void(const std::string&)>& say);

}  // namespace harness::simulate
