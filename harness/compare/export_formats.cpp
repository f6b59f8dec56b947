#include "harness/compare/export_formats.hpp"

#include "harness/compare/compare.hpp"
#include "harness/compare/leaning.hpp"
#include "harness/core/parse_number.hpp"
#include "harness/core/setup.hpp"
#include "harness/results/event_records.hpp"
#include "harness/run/closing_lines.hpp"
#include "harness/run/open_rows.hpp"
#include "harness/run/row_view.hpp"
#include "harness/support/field.hpp"
#include "harness/support/quantity.hpp"
#include "harness/support/read_text.hpp"
#include "harness/support/replace_file.hpp"
#include "harness/support/scratch_folder.hpp"
#include "harness/support/text.hpp"
#include "harness/support/usage.hpp"
#include "harness/trace/intern.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <limits>
#include <set>

namespace harness::compare {
namespace {

/// One form of one row: the value that the table shows, in the interval of the form's median. A time is in
/// ns; of a rate it is the inverse, since in these formats less is better.
struct FormValue {
  std::string name, measure, unit;
  double value = 0;
  std::optional<Interval> interval;
  const results::Row* row = nullptr;
  std::size_t units = 0;
};

/// Twelve digits: the second form's is the first one's times a ratio, which says 19.999999999999993 for 20.
double rounded(double value) { return parse_number<double>(fmt::format("{:.12g}", value)).value_or(value); }

std::vector<FormValue> form_values(const results::Results& run) {
  std::vector<FormValue> all;
  for (const auto& row : run.rows) {
    if (is_error(row)) continue;
    const auto series = series_of(row);
    for (const auto form : {Form::naive, Form::optimized}) {
      const auto value = shown_value(row, form);
      if (value <= 0) continue;
      const auto words = value_words(row);
      const double scale = words.is_time() ? 1e9 : 1;
      all.push_back({.name = fmt::format("{}/variant:{}", row.name, to_string(form)),
                     .measure = words.measure,
                     .unit = words.is_time() ? "ns" : words.unit,
                     .value = rounded(value * scale),
                     .interval = {},
                     .row = &row,
                     .units = series.log_ratios.size()});
      const auto& logs = form == Form::naive ? series.naive : series.optimized;
      if (const auto interval = median_interval(logs, run.session.alpha))
        all.back().interval =
            holding({std::exp(interval->low) * scale, std::exp(interval->high) * scale}, value * scale);
    }
  }
  return all;
}

/// RFC 4180: in quotes where it must be, quotes doubled. A cell that a spreadsheet would run is defused.
std::string csv_cell(std::string_view text) {
  const bool formula = !text.empty() && std::string_view("=+-@").find(text.front()) != text.npos;
  const bool quoted = text.find_first_of(",\"\r\n") != text.npos;
  std::string out;
  if (quoted) out.push_back('"');
  if (formula) out.push_back('\'');
  for (const char c : trace::printable(text)) {
    if (c == '"') out.push_back('"');
    out.push_back(c);
  }
  if (quoted) out.push_back('"');
  return out;
}

std::string csv_number(double value) { return std::isfinite(value) ? fmt::format("{:.9g}", value) : ""; }

/// What is decided is a pass, whichever way: a tip that does not pay here is a result. A command that is
/// slower is none.
Fate row_fate(const results::Row& row, const results::Results& run) {
  if (results::is_of_commands(row.name)) return fate_of_command(row, run);
  return is_decided(row.judged.verdict) ? Fate::pass : fate_of(row.judged.verdict);
}

CiCase ci_row(const results::Row& row, const results::Results& run) {
  const auto view = run::view_of(row);
  CiCase out{.group = row.step,
             .name = row.name,
             .fate = row_fate(row, run),
             .verdict = std::string(view.word),
             .before = view.before,
             .after = view.after,
             .seconds = row.row_seconds};
  std::vector<std::string> said;
  if (!view.before.empty()) said.push_back(view.sides);
  for (const auto& text : {view.sentence, view.note})
    if (!text.empty()) said.push_back(text);
  if (!view.published.empty() && row.judged.verdict != Verdict::skipped)  // rows skipped alike say the same
    said.push_back((view.contradicts ? "contradicts its source: " : "published: ") + view.published);
  out.message = fmt::format("{}", fmt::join(said, "; "));
  const auto units = series_of(row).log_ratios.size();
  if (is_error(row) || units == 0) return out;
  add_change(out, row.name, row.judged.ratio, run::shown_interval(row), row.delta);
  add_figure(out, "rounds", static_cast<double>(units));
  add_figure(out, "spread of the rounds", row.judged.sd);
  add_figure(out, "smallest change that could be shown", row.judged.smallest_effect);
  return out;
}

namespace fs = std::filesystem;
using results::Moment;
using results::scalar_record;

constexpr auto about_verdict =
    "1: the second side is faster, or has less of what the row is judged by. 0: the same. -1: it is slower, "
    "or has more. A triangle: the row cannot tell.";

double seconds_since_1970(const std::string& started) {
  const auto time = utc_time(started);
  return time ? static_cast<double>(time->time_since_epoch().count()) : 0;
}

/// Letters and digits of the text, with '-' between them.
std::string slug(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (plain)
      out += c;
    else if (!out.empty() && out.back() != '-')
      out += '-';
  }
  constexpr std::size_t longest = 60;
  return out.substr(0, longest);
}

/// "NVIDIA-A30-1a2b3c4d": what the machine is known by, and a number that tells its class from others like
/// it.
std::string run_folder(const results::Results& run) {
  const auto machine = run.fingerprint.hard.value("machine", Json::object());
  const auto gpu = machine.value("gpu", Json());
  const auto shown = gpu.is_object() ? gpu.value("name", Json()) : machine.value("cpu_model", Json());
  const auto name = shown.is_string() ? slug(shown.get<std::string>()) : std::string("machine");
  return fmt::format("{}-{:08x}", name, results::masked_crc(results::machine_class(run.fingerprint)));
}

std::string session_text(const results::Results& run) {
  const auto& session = run.session;
  auto text = fmt::format("commit {}, begun {}, {} rows, {} threads, id {}", session.commit, session.started,
                          run.rows.size(), session.threads, session.id);
  if (results::on_stand_in(run.fingerprint)) text = fmt::format("**{}** {}", results::stand_in_warning, text);
  return trace::printable(text);
}

std::string row_records(const results::Row& row, const Moment& moment) {
  if (is_error(row)) return {};
  const auto name = trace::printable(row.name);
  std::string records;
  const auto add = [&](std::string_view what, double value, std::string_view about = {}) {
    records += scalar_record(moment, fmt::format("{}/{}", what, name), static_cast<float>(value), about);
  };
  for (const auto form : {Form::naive, Form::optimized})
    if (const auto value = shown_value(row, form); value > 0) {
      const bool is_time = value_words(row).is_time();
      add(fmt::format("{}{}", to_string(form), is_time ? "_ms" : "_value"),
          results::as_printed(name, value) * (is_time ? 1e3 : 1));
    }
  if (row.measured.log_ratios.empty()) return records;  // no round: no change
  add("change_percent", 100 * (results::as_printed(name, row.judged.ratio) - 1),
      results::is_rate(name) ? "The second side against the first; above 0 it is better."
                             : "The second side against the first; below 0 it is faster.");
  if (const auto ends = results::as_printed(name, run::shown_interval(row))) {
    add("change_percent_low", 100 * (ends->low - 1), "The lower end of the change's interval.");
    add("change_percent_high", 100 * (ends->high - 1), "The upper end of the change's interval.");
  }
  add("verdict", verdict_number(row.judged.verdict), about_verdict);
  return records;
}

std::string session_records(const results::Results& run, const Moment& moment) {
  auto records = text_record(moment, "session", session_text(run));
  for (const auto& row : run.rows) records += row_records(row, moment);
  return records;
}

fs::path event_file_in(const fs::path& folder) {
  return folder / (std::string(results::event_file_prefix) + "tuneproof");
}

constexpr auto export_examples =
    "junit: a row with a verdict passes, whichever way it fell. One that cannot tell, or was skipped, is\n"
    "<skipped>; one that failed or is invalid an <error>. Of commands (`versus`) a slower one is a\n"
    "<failure>, and if none was decided, each is an <error>.\n"
    "\n"
    "Examples:\n"
    "  tuneproof export csv results.json >> all.csv\n"
    "  tuneproof export bmf results.json            Bencher's metric format\n"
    "  tuneproof export gha results.json            github-action-benchmark, customSmallerIsBetter\n"
    "  tuneproof export tensorboard a.json b.json -o events && tensorboard --logdir events";

constexpr std::string_view tensorboard_format = "tensorboard";

using Writer = std::string (*)(const results::Results&);

constexpr std::array<std::pair<std::string_view, Writer>, 5> printed_formats{{
    {"bmf", bmf_text},
    {"gha", gha_text},
    {"csv", csv_text},
    {"junit", junit_export},
    {"markdown", [](const results::Results& run) { return markdown_text(run_report(run)); }},
}};

struct ExportArguments {
  std::string format;
  std::vector<std::string> files;
  std::string folder;  // of event files
  results::StandIn stand_in = results::StandIn::refuse;
};

Writer writer_of(const std::string& word) {
  std::vector<std::string> known;
  for (const auto& [name, writer] : printed_formats) {
    if (name == word) return writer;
    known.emplace_back(name);
  }
  known.emplace_back(tensorboard_format);
  throw BadInput(fmt::format("export {}: unknown format; expected one of {}", word, join_or(known)));
}

int print_export(const ExportArguments& arguments, const catalogue::Program& program) {
  const auto writer = writer_of(arguments.format);
  if (!arguments.folder.empty())
    throw BadInput(fmt::format("export {}: -o is for tensorboard; this format is printed", arguments.format));
  if (arguments.files.size() > 1)
    throw BadInput(fmt::format("export {}: give one FILE; only tensorboard takes several", arguments.format));
  auto run = read_run_file(arguments.files.front(), arguments.stand_in);
  name_sides(program.catalogue, run);
  fmt::print("{}", writer(run));
  return 0;
}

/// Reads all files, then writes all into `folder`, where a file that an earlier export made is replaced.
/// Throws BadInput if a file is not a results file, or if it cannot write to a place.
void export_tensorboard(const std::vector<std::string>& files, const fs::path& folder,
                        results::StandIn stand_in) {
  std::vector<results::Results> runs;
  for (const auto& name : files) runs.push_back(read_run_file(name, stand_in));
  std::deque<NewFolders> folders;
  std::deque<std::pair<ReplaceFile, std::string>> open;
  for (auto& [place, text] : event_files_of(std::move(runs))) {
    folders.emplace_back((folder / place).parent_path());
    open.emplace_back(ReplaceFile(folder / place), text);
  }
  for (const auto& [file, text] : open) file.write(text);
}

int write_events(const ExportArguments& arguments) {
  if (arguments.folder.empty()) throw BadInput("export tensorboard: give -o FOLDER for the event files");
  export_tensorboard(arguments.files, arguments.folder, arguments.stand_in);
  const auto folder = printable(arguments.folder);
  fmt::print("{}: written; look at it with tensorboard --logdir {}\n", folder, folder);
  return 0;
}

}  // namespace

std::string bmf_text(const results::Results& run) {
  Json json = Json::object();
  for (const auto& one : form_values(run)) {
    Json value = {{"value", one.value}};
    if (one.interval) {
      value["lower_value"] = one.interval->low;
      value["upper_value"] = one.interval->high;
    }
    json[one.name][one.measure] = std::move(value);
  }
  return pretty(json);
}

std::string gha_text(const results::Results& run) {
  Json json = Json::array();
  for (const auto& one : form_values(run)) {
    const auto unit = results::is_rate(one.row->name) ? "1 / the printed number" : one.unit;
    Json entry = {{"name", one.name}, {"unit", unit}, {"value", one.value}};
    if (one.interval) entry["range"] = fmt::format("{:.6g}", (one.interval->high - one.interval->low) / 2);
    const auto view = run::view_of(*one.row);
    entry["extra"] = fmt::format("{}: {} {}, {} units", view.sides, view.change, view.word, one.units);
    json.push_back(std::move(entry));
  }
  return pretty(json);
}

std::string csv_text(const results::Results& run) {
  std::string out =
      "time,commit,step,row,verdict,from_ns,to_ns,ratio,ratio_low,ratio_high,units,from_value,to_value,"
      "value_unit\n";
  for (const auto& row : run.rows) {
    if (is_error(row)) continue;
    const auto ends = results::as_printed(row.name, run::shown_interval(row));
    const auto words = value_words(row);
    const bool is_time = words.is_time();
    const auto number_of = [&](Form form) {
      const auto value = shown_value(row, form);
      return value > 0 ? csv_number(results::as_printed(row.name, value) * (is_time ? 1e9 : 1)) : "";
    };
    const auto rounds = series_of(row).log_ratios.size();
    const std::string naive = number_of(Form::naive), optimized = number_of(Form::optimized), none;
    out +=
        fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", csv_cell(run.session.started),
                    csv_cell(run.session.commit), csv_cell(row.step), csv_cell(row.name), run::word_of(row),
                    is_time ? naive : none, is_time ? optimized : none,
                    rounds > 0 ? csv_number(results::as_printed(row.name, row.judged.ratio)) : "",
                    ends ? csv_number(ends->low) : "", ends ? csv_number(ends->high) : "", rounds,
                    is_time ? none : naive, is_time ? none : optimized, is_time ? "" : csv_cell(words.unit));
  }
  return out;
}

CiReport run_report(const results::Results& run) {
  CiReport report{.title = fmt::format("tuneproof {} at {}", run.session.started, run.session.commit)};
  if (results::on_stand_in(run.fingerprint)) report.title += fmt::format(" ({})", results::stand_in_warning);
  for (const auto& row : run.rows) report.rows.push_back(ci_row(row, run));
  report.notes = run::closing_lines(run.rows, run::advice(run));
  std::ranges::move(run::flag_meanings(run.rows), std::back_inserter(report.notes));
  if (!run.rows.empty()) report.notes.insert(report.notes.begin(), run::verdict_counts(run.rows));
  return report;
}

std::string junit_export(const results::Results& run) {
  const bool of_commands = std::ranges::any_of(
      run.rows, [](const results::Row& row) { return results::is_of_commands(row.name); });
  auto report = run_report(run);
  if (of_commands) report = with_reason(std::move(report));
  const auto count = [&](Fate fate) { return std::ranges::count(report.rows, fate, &CiCase::fate); };
  if (const auto undecided = count(Fate::undecided); undecided > 0)
    report.notes.push_back(
        fmt::format("JUnit's skipped: {} cannot tell, {} not measured", undecided, count(Fate::skipped)));
  return junit_text(report);
}

float verdict_number(Verdict verdict) {
  if (verdict == Verdict::helps) return 1;
  if (verdict == Verdict::no_effect) return 0;
  return verdict == Verdict::hurts ? -1 : std::numeric_limits<float>::quiet_NaN();
}

EventFiles event_files_of(std::vector<results::Results> runs) {
  std::ranges::stable_sort(runs, {}, [](const auto& run) { return seconds_since_1970(run.session.started); });
  EventFiles files;
  std::map<fs::path, std::int64_t> sessions;
  std::set<std::string> seen;
  for (const auto& run : runs) {
    if (!seen.insert(run.session.id).second) continue;
    const auto place = event_file_in(run_folder(run));
    const Moment moment{seconds_since_1970(run.session.started), sessions[place]++};
    auto& text = files[place];
    if (text.empty()) text = results::version_record(moment.wall_time);
    text += session_records(run, moment);
  }
  return files;
}

void add_export(CLI::App& app, const catalogue::Program& program, catalogue::Action& chosen) {
  const auto arguments = std::make_shared<ExportArguments>();
  auto* command = app.add_subcommand("export", "Write results in another tool's format");
  command->add_option("FORMAT", arguments->format, "bmf, gha, csv, junit, markdown or tensorboard")
      ->required();
  command->add_option("FILE", arguments->files, "A file from `run --json`; for tensorboard also several")
      ->required();
  add_value(*command, "-o,--out", arguments->folder, "FOLDER", "Folder for TensorBoard's event files");
  results::declare_stand_in(*command, arguments->stand_in);
  command->footer(export_examples);
  command->callback([arguments, &program, &chosen] {
    chosen = [arguments, &program] {
      return arguments->format == tensorboard_format ? write_events(*arguments)
                                                     : print_export(*arguments, program);
    };
  });
}

}  // namespace harness::compare
