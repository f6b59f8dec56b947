#include "harness/simulate/recording_asked.hpp"

#include "harness/core/setup.hpp"
#include "harness/run/option_readers.hpp"
#include "harness/simulate/record.hpp"
#include "harness/simulate/scale.hpp"
#include "harness/support/replace_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace harness::simulate {
namespace {

void say(const std::string& line) { fmt::print(stderr, "{}\n", line); }

/// The option of a workload that changes the size of its data; null where there is none.
const catalogue::Option* scale_option(const catalogue::Catalogue& catalogue) {
  const auto found = std::ranges::find(catalogue.options, "scale", &catalogue::Option::name);
  return found == catalogue.options.end() ? nullptr : &*found;
}

/// Rows of one size, or of any.
struct BySize {
  std::vector<results::Row> own, scaled;
};

BySize by_size(const std::vector<results::Row>& rows, const SimulateArguments& arguments,
               const catalogue::Catalogue& catalogue) {
  const auto* option = arguments.scales == own_scale ? nullptr : scale_option(catalogue);
  BySize out;
  for (const auto& row : rows)
    (option != nullptr && run::reads(row, *option) ? out.scaled : out.own).push_back(row);
  if (!arguments.scales.empty() && arguments.scales != own_scale && out.scaled.empty())
    throw BadInput("simulate: --scales is for workloads whose size can be changed, and none is selected");
  return out;
}

/// Recorded small and worked out at the data's own size.
Recorded record_scaled(run::RunPlan plan, const std::vector<results::Row>& rows, const std::string& text,
                       const catalogue::Program& program) {
  auto scales = parse_scales(text);
  if (rows.empty()) return {};
  for (auto& one : scales) {
    say("recording at scale " + one.text);
    plan.options["scale"] = fmt::to_string(one.scale);
    auto recorded = record_rows(plan, rows, program, say);
    if (recorded.stopped) return {.recording = {}, .stopped = true};  // each scale is needed
    one.recording = std::move(recorded.recording);
  }
  auto made = at_scale(scales, 1);
  for (const auto& row : made.rows)
    if (!row.reason.empty()) say(fmt::format("tuneproof: left out: {}: {}", row.row, row.reason));
  return {.recording = std::move(made), .stopped = false};
}

std::string note_on(const Recorded& own, const Recorded& scaled, const std::string& scales) {
  std::string note;
  if (own.stopped || scaled.stopped) note = "Stopped while recording: rows are missing.";
  const auto small =
      std::ranges::count_if(scaled.recording.rows, [](const RowRecord& row) { return !row.note.empty(); });
  if (small > 0)
    note += fmt::format(
        "{}{} recorded at the scales {} and worked out at scale 1; each says how far it is "
        "off its lines.",
        note.empty() ? "" : " ", small == 1 ? "1 row was" : fmt::format("{} rows were", small), scales);
  return note;
}

/// In the order of the rows that were asked for.
Recording record_asked(const SimulateArguments& arguments, const catalogue::Program& program) {
  const auto plan = run::plan_run(arguments.run);
  const std::string scales(arguments.scales.empty() || arguments.scales == own_scale ? usual_scales
                                                                                     : arguments.scales);
  parse_scales(scales);
  const auto rows = rows_to_record(plan, program);
  const auto sizes = by_size(rows, arguments, program.catalogue);
  auto own = record_rows(plan, sizes.own, program, say);
  auto scaled = own.stopped ? Recorded{} : record_scaled(plan, sizes.scaled, scales, program);
  Recording all{.rows = {}, .note = note_on(own, scaled, scales)};
  for (const auto& row : rows)
    for (auto* part : {&own.recording, &scaled.recording})
      if (const auto found = std::ranges::find(part->rows, row.name, &RowRecord::row);
          found != part->rows.end())
        all.rows.push_back(std::move(*found));
  if (std::ranges::all_of(all.rows, [](const RowRecord& row) { return row.forms.empty(); }))
    throw BadInput("simulate: no row could be recorded");
  return all;
}

}  // namespace

Recording recording_of(const SimulateArguments& arguments, const catalogue::Program& program) {
  if (!arguments.from.empty()) return read_recording(arguments.from);
  std::optional<ReplaceFile> file;
  if (!arguments.record.empty()) file.emplace(arguments.record);
  auto recording = record_asked(arguments, program);
  if (file) file->write(recording_to_json(recording).dump() + "\n");
  return recording;
}

}  // namespace harness::simulate
