#include "harness/run/run_output.hpp"

#include "harness/run/closing_lines.hpp"
#include "harness/run/leave_one_out.hpp"
#include "harness/run/open_rows.hpp"
#include "harness/run/table_row.hpp"
#include "harness/support/text.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cmath>
#include <csignal>

namespace harness::run {

RunOutput::RunOutput(const std::string& file, bool details)
    : document_on_stdout_(file == "-"),
      table_(table_beside(file)),
      style_(style_of(table_)),
      details_(details),
      progress_(stderr, is_terminal(stderr)) {
  if (!file.empty() && !document_on_stdout_) file_.emplace(file);
}

void RunOutput::say(const std::string& line) {
  progress_.clear();
  tell_lines(line + "\n");
}

void RunOutput::fail(const std::string& why) {
  say("tuneproof: " + why);
  failed_ = why;
}

std::string RunOutput::failure() const {
  if (!failed_.empty()) return failed_;
  return file_error_.empty() && table_broken_ ? "the output could not be written" : file_error_;
}

int RunOutput::exit_code(bool failed) const {
  if (abandoned()) return 128 + SIGPIPE;  // as if we had died of it, like any program in a pipe
  return broken() || failed ? 1 : 0;
}

void RunOutput::store(const results::Results& results) {
  if (!file_) return;
  try {
    file_->write(pretty(results::results_to_json(results)));
    file_error_.clear();
    stored_ = true;
  } catch (const BadInput& error) {
    if (file_error_.empty()) say(std::string("tuneproof: ") + error.what());
    file_error_ = error.what();
  }
}

void RunOutput::finish(const results::Results& results, const std::vector<std::string>& last) {
  const auto warning =
      results::on_stand_in(results.fingerprint) ? results::warning_line(style_) : std::string();
  print(warning);
  print(results_table(results.rows, style_, details_));
  print(leave_one_out_table(results.rows, style_));
  print_profiles(results);
  print(summary(results.rows, style_, advice(results)));
  if (const auto text = disturbance_text(results); !text.empty()) print(indented("", text, 0, style_));
  for (const auto& paragraph : last) print(indented("", paragraph, 0, style_));
  print(warning);
  print_document(results);
}

void RunOutput::print_document(const results::Results& results) {
  if (stored_ && file_error_.empty()) results::tell_results_file(file_->path());
  if (!document_on_stdout_) return;
  const bool table_broken = std::exchange(table_broken_, false);  // the document goes elsewhere
  auto* const table = std::exchange(table_, stdout);
  print(pretty(results::results_to_json(results)));
  table_ = table;
  table_broken_ = table_broken_ || table_broken;
}

void RunOutput::print_profiles(const results::Results& results) {
  bool begun = false;
  for (const auto& row : results.rows) {
    if (!row.profile) continue;
    if (!begun) print(profile_heading(style_));
    begun = true;
    print(profile_rows(row, style_));
  }
}

void RunOutput::print(const std::string& given) {
  progress_.clear();
  if (reader_gone_ || table_broken_ || given.empty()) return;
  const int error = try_lines(table_, given);
  table_broken_ = error != 0 && error != EPIPE;
  reader_gone_ = error == EPIPE && table_ == stdout;  // who left standard error still gets the document
  if (table_broken_) tell("the output could not be written");
}

namespace {

using std::chrono::steady_clock;

constexpr auto redraw_after = std::chrono::milliseconds(100);

/// "15 s left"; "budget spent" where rows go on that were in flight. Empty where nothing is known of it:
/// before a first run of a user's command, or when a row takes longer than was guessed.
std::string left_text(const Advance& advance, std::string_view about) {
  constexpr double shortest = 0.5;  // seconds, which duration_text rounds to 0
  if (advance.expected_total <= advance.expected_done) return "";
  if (advance.elapsed >= advance.end) return "budget spent";
  if (advance.end - advance.elapsed < shortest) return "budget almost spent";
  const auto seconds = seconds_left(advance);
  return seconds < shortest ? "" : fmt::format("{}{} left", about, duration_text(seconds));
}

}  // namespace

double share_done(const Advance& advance) {
  if (advance.expected_total <= 0) return 0;
  return std::clamp(advance.expected_done / advance.expected_total, 0.0, 1.0);
}

double seconds_left(const Advance& advance) {
  // A few seconds at the guessed pace are counted in, so that the first row alone does not set it.
  constexpr double prior = 5;
  const auto done = advance.expected_done;
  const auto pace = (advance.elapsed + prior) / (done + prior);
  return std::clamp((advance.expected_total - done) * pace, 0.0,
                    std::max(0.0, advance.end - advance.elapsed));
}

std::string duration_text(double seconds) {
  const auto whole = std::lround(std::max(seconds, 0.0));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

std::string planned_text(const results::Row& row, double seconds, const Style& style) {
  constexpr int below = 4;
  const auto name = printable(row.name);
  const auto said =
      results::is_error(row) ? "skipped: " + printable(row.reason) : fmt::format("{:.0f} s", seconds);
  const bool fits = name.size() + 2 + said.size() <= static_cast<std::size_t>(style.columns);
  return fits ? fmt::format("{}  {}\n", name, said) : name + "\n" + indented("", said, below, style);
}

std::string progress_line(const Advance& advance, int columns) {
  constexpr int width = 20;
  const auto share = std::max(advance.shown, share_done(advance));
  const auto filled = static_cast<int>(share * width);
  auto line =
      fmt::format("[{}{}] {:3.0f} %  {}  {}/{} {}", std::string(static_cast<std::size_t>(filled), '#'),
                  std::string(static_cast<std::size_t>(width - filled), '-'), std::floor(100 * share),
                  advance.pass, std::min(advance.row + 1, advance.rows), advance.rows, advance.name);
  auto tail = left_text(advance, "");
  if (!tail.empty()) tail.insert(0, "  ");
  // The last column stays free: a terminal may wrap as soon as it is written.
  const auto room = static_cast<std::size_t>(std::max(columns - 1, 0));
  if (line.size() + tail.size() > room) line.resize(room - std::min(room, tail.size()));
  return (line + tail).substr(0, room);
}

Progress::Progress(std::FILE* out, bool terminal)
    : out_(out), terminal_(terminal), columns_(style_of(out).columns), begin_(steady_clock::now()) {}

void Progress::begin_pass(const PassView& view) {
  advance_.pass = view.pass;
  advance_.row = 0;
  advance_.rows = view.rows;
  advance_.expected_total = advance_.expected_done + view.expected_left;
  advance_.elapsed = std::chrono::duration<double>(steady_clock::now() - begin_).count();
  if (view.budget) advance_.end = advance_.elapsed + view.budget->count();
  if (terminal_) return;
  const auto left = left_text(advance_, "about ");
  put(fmt::format("[{}] {} {}{}{}{}\n", view.pass, view.rows, view.rows == 1 ? "row" : "rows",
                  left.empty() ? "" : ", ", left,
                  view.pass == "rehearsal" ? "; checks that both sides give the same answer" : ""));
}

/// Where nobody reads it, it is lost and nothing else.
void Progress::put(const std::string& text) const {
  std::fwrite(text.data(), 1, text.size(), out_);
  std::fflush(out_);
}

void Progress::begin_row(const std::string& name) {
  advance_.name = name;
  draw();
}

void Progress::end_row(double expected_seconds) {
  advance_.expected_done += expected_seconds;
  ++advance_.row;
}

void Progress::clear() {
  if (!drawn_) return;
  put("\r\x1b[2K");
  drawn_ = false;
}

void Progress::draw() {
  const auto time = steady_clock::now();
  if (!terminal_ || (drawn_ && time - last_draw_ < redraw_after)) return;
  advance_.elapsed = std::chrono::duration<double>(time - begin_).count();
  advance_.shown = std::max(advance_.shown, share_done(advance_));
  put("\r\x1b[2K" + printable(progress_line(advance_, columns_)));
  drawn_ = true;
  last_draw_ = time;
}

}  // namespace harness::run
