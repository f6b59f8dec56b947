#include "harness/simulate/simulate_arguments.hpp"

#include "harness/core/setup.hpp"
#include "harness/machine/available_memory.hpp"
#include "harness/results/results.hpp"
#include "harness/run/run_session.hpp"
#include "harness/run/select.hpp"
#include "harness/run/supervisor.hpp"
#include "harness/run/worker_runner.hpp"
#include "harness/simulate/scale.hpp"
#include "harness/support/read_text.hpp"
#include "harness/support/replace_file.hpp"
#include "harness/support/scratch_folder.hpp"
#include "harness/support/terminal.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <system_error>

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

constexpr std::string_view own_scale = "own";  // each row once, at its own size

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

using Path = std::filesystem::path;

constexpr std::uint64_t most_calls_bytes = std::uint64_t{1} << 30;

/// Numbers of streams and events as they come up, so that the same program gives the same recording.
class Renaming {
 public:
  int operator()(std::uint64_t number) { return names_.try_emplace(number, names_.size() + 1).first->second; }

 private:
  std::map<std::uint64_t, int> names_;
};

/// The calls of one form, as they come.
class CallReader {
 public:
  void begin(const Field& mark) {
    form_ = FormRecord{mark["form"].text(), {}, {}};
    row_ = mark["row"].text();
    nodes_.clear();
    streams_ = events_ = {};
  }
  void end(Recording& recording) {
    if (!form_) return;
    auto& rows = recording.rows;
    if (rows.empty() || rows.back().row != row_) rows.push_back({.row = row_});
    rows.back().forms.push_back(*std::exchange(form_, std::nullopt));
  }
  void take(const Json& line, const std::string& name) {
    if (!form_) return;
    if (const Field call(line, name); call["do"].text() == "unpriced") {
      ++form_->unpriced[call["name"].text()];
      return;
    }
    auto renamed = line;
    if (line.contains("event")) renamed["event"] = events_(line["event"].get<std::uint64_t>());
    if (line.contains("stream")) rename_stream(renamed);
    auto entry = entry_from_json(Field(renamed, name));
    if (line.contains("way") && line["way"] == "h2h") return;
    if (line.contains("node")) return nodes_.push_back(std::move(entry));
    if (entry.does == Entry::Does::graph) entry.nodes = std::exchange(nodes_, {});
    form_->entries.push_back(std::move(entry));
  }

 private:
  void rename_stream(Json& line) {
    const auto number = line["stream"].get<std::uint64_t>();
    const int stream = number == 0 ? legacy_stream : streams_(number);
    line["stream"] = stream;
    if (!line["blocking"].get<bool>() && number != 0) form_->non_blocking.insert(stream);
  }

  std::string row_;
  std::optional<FormRecord> form_;
  std::vector<Entry> nodes_;
  Renaming streams_, events_;
};

/// The stand-in's libraries, which take the place of CUDA's.
std::string stand_in_libraries(const Path& folder) {
  std::string preload;
  const auto add = [&](const Path& file) { preload += (preload.empty() ? "" : ":") + file.string(); };
  std::error_code error;
  for (const auto& file : std::filesystem::directory_iterator(folder, error))
    for (const auto* name : {"libcudart.so.", "libcupti.so."})
      if (file.path().filename().string().starts_with(name)) add(file.path());
  for (const auto* name : {"libcuda.so.1", "libnvidia-ml.so.1"})
    if (std::filesystem::exists(folder / name, error)) add(folder / name);
  if (std::ranges::count(preload, ':') != 3)
    throw BadInput("simulate: the stand-in device that records calls is not built in " + folder.string() +
                   "; run scripts/build.sh (or, with cmake on your PATH, cmake --build " +
                   folder.parent_path().string() +
                   " --target stand_in), or give a recording with --from FILE");
  return preload;
}

run::WorkerPlan worker_plan_for(const run::RunPlan& plan, std::vector<results::Row> rows,
                                const catalogue::Program& program, const Path& calls) {
  auto worker_plan = run::worker_plan_of(plan, program.worker, program.self);
  worker_plan.rows = std::move(rows);
  worker_plan.worker.environment.push_back("LD_PRELOAD=" +
                                           stand_in_libraries(program.self.parent_path() / "stand_in"));
  worker_plan.worker.environment.push_back("STAND_IN_CALLS=" + calls.string());
  worker_plan.worker.environment.push_back(fmt::format("STAND_IN_MEMORY={}", available_memory() / 2));
  worker_plan.task.device = {Device::Kind::cuda, 0};
  worker_plan.task.calls = calls.string();
  return worker_plan;
}

/// In the order of the rows that were asked for; one that has no forms says why.
std::vector<RowRecord> in_order_of(const std::vector<std::string>& names, std::vector<RowRecord> recorded,
                                   const std::map<std::string, std::string>& reasons) {
  std::vector<RowRecord> rows;
  for (const auto& name : names) {
    const auto found = std::ranges::find(recorded, name, &RowRecord::row);
    if (found != recorded.end() && found->forms.size() == 2)
      rows.push_back(std::move(*found));
    else if (const auto why = reasons.find(name); why != reasons.end())
      rows.push_back({.row = name, .reason = "not recorded: " + why->second});
  }
  return rows;
}

/// Records them, on a device with half of the memory that is free here: what its form gives a device, the
/// host holds too. Throws BadInput where the stand-in is not built.
Recorded record_rows(const run::RunPlan& plan, std::vector<results::Row> rows,
                     const catalogue::Program& program, SignalWatch& signals,
                     const std::function<void(const std::string&)>& say) {
  if (rows.empty()) return {};
  std::vector<std::string> names;
  for (const auto& row : rows) names.push_back(row.name);
  run::skip_what_options_exclude(rows, plan.session.options, program.options);
  const ScratchFolder scratch(temporary_folder());
  const auto calls = scratch.path() / "calls";
  const auto worker_plan = worker_plan_for(plan, std::move(rows), program, calls);
  Recorded recorded;
  std::map<std::string, std::string> reasons;
  const run::Reports heard{.begun = [&](const std::string& row) { say("recording " + row); },
                           .ended =
                               [&](results::Row row) {
                                 if (!results::is_error(row)) return;
                                 say(fmt::format("tuneproof: {}: not recorded: {}", row.name, row.reason));
                                 reasons[row.name] = row.reason;
                               },
                           .said = say,
                           .stop = [] { return false; }};
  const auto outcome = run::Supervisor(worker_plan, heard, signals).run();
  recorded.signal = outcome.signal;
  if (std::filesystem::exists(calls))
    recorded.recording = calls_from_text(read_text(calls, most_calls_bytes), calls.string());
  recorded.recording.rows = in_order_of(names, std::move(recorded.recording.rows), reasons);
  return recorded;
}

/// Recorded small and worked out at the data's own size.
Recorded record_scaled(run::RunPlan plan, const std::vector<results::Row>& rows, const std::string& text,
                       const catalogue::Program& program, SignalWatch& signals) {
  auto scales = parse_scales(text);
  Recorded made;
  if (rows.empty()) return made;
  for (auto& one : scales) {
    say("recording at scale " + one.text);
    plan.session.options["scale"] = fmt::to_string(one.scale);
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

/// The CUDA rows that the plan selects, in the catalogue's order. Throws BadInput where there are none.
std::vector<results::Row> rows_to_record(const run::RunPlan& plan, const catalogue::Program& program) {
  auto selection = plan.selection;
  selection.has_cuda = true;
  selection.device = {.automatic = false, .device = {Device::Kind::cuda, 0}};
  auto rows = run::select_rows(program.catalogue, selection);
  std::erase_if(rows,
                [](const results::Row& row) { return results::is_error(row) || !row.device.is_cuda(); });
  if (rows.empty()) throw BadInput("simulate: none of these rows runs on a GPU; name others");
  return rows;
}

/// Where a workload's size can be changed, its rows are recorded small: at their own size a row takes
/// minutes.
constexpr std::string_view usual_scales = "1/128,1/64,1/32";

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

Recording calls_from_text(std::string_view text, const std::string& name) {
  text = text.substr(0, text.rfind('\n') + 1);  // a worker that was stopped may have left a part of a line
  Recording recording;
  CallReader reader;
  int number = 0;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    const auto place = fmt::format("{}: line {}", name, ++number);
    const auto line = parse_json(text.substr(0, end), place);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line.is_object() || !line.contains("mark"))
      reader.take(line, place);
    else if (line["mark"] == "begin")
      reader.begin(Field(line, place));
    else
      reader.end(recording);
  }
  return recording;
}

}  // namespace harness::simulate
