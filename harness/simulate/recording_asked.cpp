#include "harness/simulate/recording_asked.hpp"

#include "harness/core/setup.hpp"
#include "harness/simulate/record.hpp"
#include "harness/simulate/scale.hpp"
#include "harness/support/replace_file.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

namespace harness::simulate {
namespace {

void say(const std::string& line) { fmt::print(stderr, "{}\n", line); }

/// Rows at one size, or at their own; `stopped` where a signal ended it.
Recorded record_at(const SimulateArguments& arguments, const catalogue::Program& program,
                   std::optional<double> scale) {
  auto run = arguments.run;
  if (scale) run.options["scale"] = fmt::to_string(*scale);
  auto recorded = record_rows(run, program, say);
  for (const auto& [row, reason] : recorded.left_out)
    say(fmt::format("tuneproof: {}: not recorded: {}", row, reason));
  return recorded;
}

Recording record_as_it_is(const SimulateArguments& arguments, const catalogue::Program& program) {
  auto recorded = record_at(arguments, program, std::nullopt);
  if (recorded.recording.rows.empty()) throw BadInput("simulate: no row could be recorded");
  if (recorded.stopped)
    recorded.recording.note =
        fmt::format("Stopped while recording: the first {} rows were kept.", recorded.recording.rows.size());
  return std::move(recorded.recording);
}

/// Recorded small and worked out at the data's own size.
Recording record_at_scales(const SimulateArguments& arguments, const catalogue::Program& program) {
  auto scales = parse_scales(arguments.scales);
  for (auto& one : scales) {
    say("recording at scale " + one.text);
    auto recorded = record_at(arguments, program, one.scale);
    if (recorded.stopped)
      throw BadInput("simulate: stopped while recording, but each scale is needed; nothing was kept");
    one.recording = std::move(recorded.recording);
  }
  auto made = at_scale(scales, 1);
  for (const auto& row : made.left_out) say("tuneproof: left out: " + row);
  if (made.recording.rows.empty()) throw BadInput("simulate: no row follows its scale");
  constexpr double percent = 100;
  made.recording.note = fmt::format(
      "Recorded at the scales {} and worked out at scale 1: bytes and FLOP of {} calls, on lines through the "
      "first two scales, are at most {:.1f} % off at the others.",
      arguments.scales, made.calls, made.worst * percent);
  return std::move(made.recording);
}

}  // namespace

Recording recording_of(const SimulateArguments& arguments, const catalogue::Program& program) {
  if (!arguments.from.empty()) return read_recording(arguments.from);
  std::optional<ReplaceFile> file;
  if (!arguments.record.empty()) file.emplace(arguments.record);
  auto recording =
      arguments.scales.empty() ? record_as_it_is(arguments, program) : record_at_scales(arguments, program);
  if (file) file->write(recording_to_json(recording).dump() + "\n");
  return recording;
}

}  // namespace harness::simulate
