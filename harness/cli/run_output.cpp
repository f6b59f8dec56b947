#include "harness/cli/run_output.hpp"

#include "harness/report/profile_table.hpp"
#include "harness/report/terminal.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <stdio_ext.h>
#include <utility>

namespace harness {

RunOutput::RunOutput(const std::string& file)
    : document_on_stdout_(file == "-"),
      table_(document_on_stdout_ ? stderr : stdout),
      style_(style_of(table_)) {
  if (!file.empty() && !document_on_stdout_) file_.emplace(file);
}

void RunOutput::begin(Results results, int rows, double expected_seconds) {
  results_ = std::move(results);
  progress_.emplace(stderr, is_terminal(stderr), rows, expected_seconds);
  print(table_heading(style_));
}

void RunOutput::begin_row(const std::string& name) {
  progress_->begin_row(static_cast<int>(results_.rows.size()), name);
}

void RunOutput::unit(int done, int of) { progress_->unit(done, of); }

void RunOutput::end_row(Row row, double expected_seconds) {
  progress_->end_row(expected_seconds);
  print(table_row(row, style_, previous_step_));
  previous_step_ = row.step;
  results_.rows.push_back(std::move(row));
  store();
}

void RunOutput::end_profile(std::size_t row, RowProfile profile) {
  if (!profiles_begun_) print(profile_heading(style_));
  profiles_begun_ = true;
  results_.rows[row].profile = std::move(profile);
  print(profile_rows(results_.rows[row], style_));
  store();
}

void RunOutput::say(const std::string& line) {
  progress_->clear();
  fmt::print(stderr, "{}\n", line);
}

void RunOutput::finish() {
  print(summary(results_.rows, style_));
  if (!file_error_.empty()) store();
  if (!document_on_stdout_) return;
  table_ = stdout;
  print(pretty(results_to_json(results_)));
}

void RunOutput::print(const std::string& text) {
  if (progress_) progress_->clear();
  if (reader_gone_ || table_broken_ || text.empty()) return;
  const bool written = std::fwrite(text.data(), 1, text.size(), table_) == text.size();
  if (written && std::fflush(table_) == 0) return;
  (errno == EPIPE ? reader_gone_ : table_broken_) = true;
  __fpurge(table_);  // else the same bytes fail once more when the program ends
  if (table_broken_) fmt::print(stderr, "tuneproof: the output could not be written\n");
}

void RunOutput::store() {
  if (!file_) return;
  try {
    file_->write(pretty(results_to_json(results_)));
    file_error_.clear();
  } catch (const BadInput& error) {
    if (file_error_.empty()) say(std::string("tuneproof: ") + error.what());
    file_error_ = error.what();
  }
}

}  // namespace harness
