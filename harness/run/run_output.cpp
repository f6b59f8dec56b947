#include "harness/run/run_output.hpp"

#include "harness/run/advice.hpp"
#include "harness/run/closing_lines.hpp"
#include "harness/run/leave_one_out.hpp"
#include "harness/run/results_table.hpp"
#include "harness/support/shown.hpp"
#include "harness/support/text.hpp"

#include <cerrno>
#include <stdio_ext.h>

namespace harness::run {

RunOutput::RunOutput(const std::string& file, bool details)
    : document_on_stdout_(file == "-"),
      table_(table_beside(file)),
      style_(style_of(table_)),
      details_(details),
      progress_(stderr, is_terminal(stderr)) {
  if (!file.empty() && !document_on_stdout_) file_.emplace(file);
}

void RunOutput::begin_pass(const PassView& view) { progress_.begin_pass(view); }

void RunOutput::begin_row(const std::string& name) { progress_.begin_row(name); }

void RunOutput::end_row(double expected_seconds) { progress_.end_row(expected_seconds); }

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
  for (const auto& paragraph : last) print(indented("", paragraph, 0, style_));
  print(warning);
  if (!document_on_stdout_) return;
  const bool table_broken = std::exchange(table_broken_, false);  // the document goes elsewhere
  table_ = stdout;
  print(pretty(results::results_to_json(results)));
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
  const auto text = printable_lines(given);
  const bool written = std::fwrite(text.data(), 1, text.size(), table_) == text.size();
  if (written && std::fflush(table_) == 0) return;
  if (errno != EPIPE)
    table_broken_ = true;
  else if (table_ == stdout)
    reader_gone_ = true;  // who left standard error still gets the document
  __fpurge(table_);       // else the same bytes fail once more when the program ends
  if (table_broken_) tell("the output could not be written");
}

}  // namespace harness::run
