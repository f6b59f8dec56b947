#include "harness/simulate/simulate_arguments.hpp"

#include "harness/core/setup.hpp"
#include "harness/run/select.hpp"
#include "harness/simulate/record.hpp"
#include "harness/simulate/scale.hpp"
#include "harness/support/replace_file.hpp"
#include "harness/support/terminal.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace harness::simulate {
namespace {

void say(const std::string& line) { tell_lines(line + "\n"); }

/// The option that changes the size of a workload's data, read by the steps that it names first: their work
/// grows in proportion to it. That of the others does not, since their sides and layers are whole numbers.
std::optional<catalogue::Option> scale_option(const catalogue::Catalogue& catalogue) {
  const auto found = std::ranges::find(catalogue.options, "scale", &catalogue::Option::name);
  if (found == catalogue.options.end()) return std::nullopt;
  auto option = *found;
  option.steps = option.steps.substr(0, option.steps.find(' '));
  return option;
}

/// Rows of one size, or of any.
struct BySize {
  std::vector<results::Row> own, scaled;
};

BySize by_size(const std::vector<results::Row>& rows, const SimulateArguments& arguments,
               const catalogue::Catalogue& catalogue) {
  const auto option = arguments.scales == own_scale ? std::nullopt : scale_option(catalogue);
  BySize out;
  for (const auto& row : rows) (option && run::reads(row, *option) ? out.scaled : out.own).push_back(row);
  if (!arguments.scales.empty() && arguments.scales != own_scale && out.scaled.empty())
    throw BadInput("simulate: --scales is for workloads whose size can be changed, and none is selected");
  return out;
}

/// What a signal leaves of the rows: those that are recorded at each scale.
void drop_unfinished(Recorded& made, const std::vector<Scaled>& scales) {
  std::erase_if(made.recording.rows, [&](const RowRecord& row) {
    return std::ranges::any_of(scales, [&](const Scaled& one) {
      return std::ranges::find(one.recording.rows, row.row, &RowRecord::row) == one.recording.rows.end();
    });
  });
}

/// Recorded small and worked out at the data's own size.
Recorded record_scaled(run::RunPlan plan, const std::vector<results::Row>& rows, const std::string& text,
                       const catalogue::Program& program, SignalWatch& signals) {
  auto scales = parse_scales(text);
  Recorded made;
  if (rows.empty()) return made;
  for (auto& one : scales) {
    say("recording at scale " + one.text);
    plan.options["scale"] = fmt::to_string(one.scale);
    auto recorded = record_rows(plan, rows, program, signals, say);
    one.recording = std::move(recorded.recording);
    made.signal = recorded.signal;
    if (made.signal) break;
  }
  made.recording = at_scale(scales, 1);
  if (made.signal) drop_unfinished(made, scales);
  for (const auto& row : made.recording.rows)
    if (!row.reason.empty()) say(fmt::format("tuneproof: left out: {}: {}", row.row, row.reason));
  return made;
}

std::string note_on(const Recorded& own, const Recorded& scaled, const std::string& scales) {
  std::string note;
  if (own.signal || scaled.signal) note = "Stopped while recording: rows are missing.";
  const auto small =
      std::ranges::count_if(scaled.recording.rows, [](const RowRecord& row) { return !row.note.empty(); });
  if (small > 0)
    note += fmt::format(
        "{}{} recorded at the scales {} and worked out at scale 1; each says how far it is "
        "off its lines.",
        note.empty() ? "" : " ", small == 1 ? "1 row was" : fmt::format("{} rows were", small), scales);
  return note;
}

/// Says what a signal cost.
void say_lost(const std::vector<results::Row>& rows, const Recording& recording, std::size_t kept) {
  std::vector<std::string> lost;
  for (const auto& row : rows)
    if (std::ranges::count(recording.rows, row.name, &RowRecord::row) == 0) lost.push_back(row.name);
  say(fmt::format("tuneproof: stopped; {} recorded, lost {} {}",
                  kept == 1 ? "1 row is" : fmt::format("{} rows are", kept), lost.size() == 1 ? "is" : "are",
                  lost.empty() ? "none" : fmt::to_string(fmt::join(lost, ", "))));
}

/// Before anything is recorded for it.
void require_one_row_for_trace(const SimulateArguments& arguments, std::size_t rows) {
  if (!arguments.trace.empty() && rows != 1)
    throw BadInput(fmt::format("simulate: --trace shows one row, and these are {}; select one", rows));
}

/// In the order of the rows that were asked for.
Asked record_asked(const SimulateArguments& arguments, const catalogue::Program& program) {
  const auto plan = run::plan_run(arguments.run);
  const std::string scales(arguments.scales.empty() || arguments.scales == own_scale ? usual_scales
                                                                                     : arguments.scales);
  parse_scales(scales);
  const auto rows = rows_to_record(plan, program);
  require_one_row_for_trace(arguments, rows.size());
  const auto sizes = by_size(rows, arguments, program.catalogue);
  SignalWatch signals;
  auto own = record_rows(plan, sizes.own, program, signals, say);
  auto scaled = own.signal ? Recorded{} : record_scaled(plan, sizes.scaled, scales, program, signals);
  Recording all{.rows = {}, .note = note_on(own, scaled, scales)};
  for (const auto& row : rows)
    for (auto* part : {&own.recording, &scaled.recording})
      if (const auto found = std::ranges::find(part->rows, row.name, &RowRecord::row);
          found != part->rows.end())
        all.rows.push_back(std::move(*found));
  const auto kept = static_cast<std::size_t>(
      std::ranges::count_if(all.rows, [](const RowRecord& row) { return !row.forms.empty(); }));
  const auto signal = own.signal ? own.signal : scaled.signal;
  if (signal) say_lost(rows, all, kept);
  if (kept == 0 && !signal) throw BadInput("simulate: no row could be recorded");
  if (kept == 0) all.rows.clear();
  return {std::move(all), signal};
}

}  // namespace

Asked recording_of(const SimulateArguments& arguments, const catalogue::Program& program) {
  if (!arguments.from.empty()) {
    auto recording = read_recording(arguments.from);
    require_one_row_for_trace(arguments, recording.rows.size());
    return {std::move(recording)};
  }
  std::optional<ReplaceFile> file;
  if (!arguments.record.empty()) file.emplace(arguments.record);
  auto asked = record_asked(arguments, program);
  if (file && !asked.recording.rows.empty()) file->write(recording_to_json(asked.recording).dump() + "\n");
  return asked;
}

}  // namespace harness::simulate
