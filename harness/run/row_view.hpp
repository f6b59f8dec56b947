// Says in words what came of a row, and what is known of it that its time does not tell: exact counts and CPU
// time (docs/measuring.md 6). Every renderer (terminal, Markdown, JUnit, CSV, page) takes its words from
// here.
#pragma once

#include "harness/core/counts.hpp"
#include "harness/results/row.hpp"
#include "harness/support/text.hpp"

namespace harness::run {

/// "faster", "same", "slower", "cannot tell", "invalid", "failed", "skipped": of the second side against the
/// first.
std::string_view word_of(Verdict verdict);

/// The same of a row. One that is judged by memory or scatter has "less" and "more". One that compares two
/// timers says what the wrong one reads: "too much", "too little", "agrees".
std::string_view word_of(const results::Row& row);
/// "first side", "second side".
std::string_view side_word(Form form);
/// What its source expects of the row, in the same words; empty where that depends.
std::string_view expected_word(const results::Row& row);

/// True if the verdict contradicts the published outcome; a verdict that is none, or an outcome that depends
/// on the circumstances, contradicts nothing.
bool contradicts_source(const results::Row& row);

/// True for a benchmark of one form: `run` times it, and only two commits of it are compared.
bool has_one_form(const results::Row& row);

/// True if the row cannot tell after fewer rounds than the first look of rows that are not plain.
bool has_too_few_rounds(const results::Row& row);

/// The interval of its change; not of too few rounds: three that lie close would look like a noisy machine.
std::optional<Interval> shown_interval(const results::Row& row);

Ink verdict_ink(Verdict verdict);

/// What there is to say of one row.
struct RowView {
  std::string sides;                 // "pageable -> pinned"
  std::string before = {};           // one run of each side, in what the row is judged by
  std::string after = {};            //
  std::string change = {};           // "-77.0 % [-79.4, -71.7]"; empty where nothing was timed
  std::string_view word = {};        //
  std::string_view decided_by = {};  // as below
  std::string sentence = {};         // "time cannot tell; does less work: 98 operators fewer"; else empty
  std::string published = {};  // the figure; without one, of a row that contradicts its source, "says faster"
  std::string note = {};       // why it was not measured, and its flags
  bool contradicts = false;
};
RowView view_of(const results::Row& row);

/// A flag as it is shown: "unstable machine (fixed work up to 31 % off)"; `off` as in Judgement.
std::string flag_text(const std::string& flag, double off);

/// The flags so shown, what weighs most against the verdict first.
std::vector<std::string> reasons_of(const Judgement& judged);

/// "bimodal: its rounds lie in two heaps", for each flag of these rows that does not say what it means.
std::vector<std::string> flag_meanings(std::span<const results::Row> rows);

/// The color of its word; a benchmark, which has nothing to be faster than, has none.
Ink row_ink(const results::Row& row);

/// "40 rows: 6 faster, 6 same, 1 slower, 1 cannot tell, 26 skipped".
std::string verdict_counts(std::span<const results::Row> rows, const Style& style = {});

/// Rows that were skipped alike: their reason, and "24 rows skipped: no CUDA device".
struct SkippedAlike {
  std::string reason;
  std::size_t rows = 0;
  std::string text() const;
};
/// Of the reasons of skipped rows each that several have, in their order.
std::vector<SkippedAlike> skipped_alike(std::span<const std::string> reasons);

/// What the source published, or "no figure". "elsewhere: 3.0 -> 3.0 s (A30)" of a row on the CPU of which
/// the source says nothing: its figure is of another kind of device or of another point.
std::string published_text(const results::Row& row);

/// True if the row's time does not tell its forms apart, and its counts or its CPU time do.
bool told_otherwise(const results::Row& row);

/// What decided the row: "time", "figure", "scatter" or "timers"; empty of a row that cannot tell. What
/// counts and the CPU time know of that one stands in its sentence.
std::string_view decided_by(const results::Row& row);

/// "time cannot tell; does less work: 98 operators fewer": where told_otherwise, and of a row whose time on a
/// device is the host's, where its forms differ by little in each kind of count. Of a row with too few rounds
/// "3 rounds: -24.0 to -18.1 %, too few for a verdict" leads. Else empty.
std::string evidence_sentence(const results::Row& row);

/// "does less work: 312 operators fewer, 41 % of the instructions less; less CPU time: -12.3 % [-13.0,
/// -11.5]". Empty where nothing differs and the CPU time does not tell.
std::string evidence_text(const results::Row& row);

/// Why takes that instructions_of refuses say nothing, with all of them. A benchmark of one form has only the
/// second ones.
std::string why_not_counted(const TwoTakes& naive, const TwoTakes& optimized, bool one_form = false);

}  // namespace harness::run
