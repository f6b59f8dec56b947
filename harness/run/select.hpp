// From the command line to the rows that will run, and which of these read an option of a workload. Rows
// before they are measured: found by name, taken by `--point`, blank, chosen for a short budget.
#pragma once

#include "harness/catalogue/catalogue.hpp"
#include "harness/core/step.hpp"
#include "harness/results/row.hpp"
#include "harness/support/quantity.hpp"

#include <limits>

namespace harness::run {

/// As the command line and files name them, in the order of Suite.
inline constexpr std::array<std::string_view, 3> suite_names = {"quick", "claims", "full"};

/// `--device`: auto takes the GPU where there is one, and each device where a step has rows on both.
struct DeviceChoice {
  bool automatic = true;
  Device device = {};
};

struct Selection {
  std::vector<std::string> patterns = {};  // globs over step ids and row names; empty: everything
  Suite suite = Suite::quick;
  DeviceChoice device = {};
  bool has_cuda = false;  // a CUDA device is usable in this session
  /// "bytes=1M..16M", "as=threads": a range or a single value of an axis. It filters the steps that have the
  /// axis, takes values of either suite, and several on one axis add up.
  std::vector<std::string> points = {};
  /// With the rows of a workload's step `leave_one_out` where a pattern takes it; else only by its own name.
  bool leave_one_out = false;
};

/// Throws BadInput for an option of a workload that none of the rows reads: it was given for nothing.
void require_use(const Options& options, const std::vector<results::Row>& rows,
                 const catalogue::Catalogue& catalogue);

/// The rows in table order, blank, or skipped where they cannot run here. A row that is named in full is
/// taken whatever the suite. Throws BadInput where a pattern or a point matches nothing, naming near misses.
std::vector<results::Row> select_rows(const catalogue::Catalogue& catalogue, const Selection& selection);

/// Whether the row's step reads it.
bool reads(const results::Row& row, const catalogue::Option& option);

/// A step at a point on a kind of device.
struct StepAt {
  const Step* step = nullptr;
  Point point;
  Device device;
};

/// The row of that name; CUDA rows get the index `cuda_index`. Throws std::out_of_range where no step has it.
StepAt find_row(Steps steps, std::string_view name, int cuda_index);

/// Leaves the row out of the session.
void skip(results::Row& row, std::string reason);

/// Skips the rows that do not fit, if even the first verdicts of all would take longer than the budget: those
/// with a published outcome go first, and then the shorter ones; one row always stays. `seconds` is about how
/// long a row takes. Returns a sentence on what was left out; empty: nothing.
std::string fit_budget(std::vector<results::Row>& rows, const Duration& budget,
                       const std::function<double(const results::Row&)>& seconds);

}  // namespace harness::run
