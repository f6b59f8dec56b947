// What a learner types, read kindly: case and blanks do not count, numbers may have a unit. What it is held
// against: this machine's measurement, or what a shipped trace says.
#pragma once

#include "harness/core/interval.hpp"
#include "harness/pages/unit.hpp"
#include "harness/results/row.hpp"
#include "harness/trace/diagnosis.hpp"

namespace harness::pages {

/// What is so. Where it could not be found out, `missing` says why and all else is empty.
struct Truth {
  std::string said = {};                 // as it is shown, with its figures
  std::string from = {};                 // where the figures are from
  std::vector<std::string> names = {};   // one verdict, regime or order; the operators; or all
                                         // names of one wait
  std::vector<std::string> known = {};   // of a trace: all names that its report has
  double number = 0;                     // of AnswerCheck::naive, factor, price and share
  std::optional<Interval> between = {};  // of AnswerCheck::factor: a number within it is right, too
  std::string missing = {};
  bool undecided = false;  // measured, and `missing` since no verdict came of it
};

/// Of a measured row. A row that was skipped or failed gives no truth, nor does one that cannot tell.
Truth truth_of(const CourseUnit& unit, const results::Row& row);
/// Of a price in seconds.
Truth truth_of(const CourseUnit& unit, double seconds);
/// Of a trace.
Truth truth_of(const CourseUnit& unit, const trace::Diagnosis& diagnosis);
/// Of an exercise that needs neither.
Truth order_of(const CourseUnit& unit);

/// Without blanks at its ends, runs of blanks as one.
std::string single_spaced(std::string_view typed);
/// The same in lower case.
std::string plain_answer(std::string_view typed);

/// The one of `choices` that was meant: it, with or without "bound", its number in the list (from 1), the
/// only one that begins so, or one that is also called so.
std::optional<std::string> chosen_of(std::string_view typed, const std::vector<std::string>& choices);

/// A number above 0, as digits or a word. Behind it may stand "%" where the unit asks for a share; elsewhere
/// "x" or "times", and "faster" or "slower" where its question has that word.
std::optional<double> typed_number(std::string_view typed, const CourseUnit& unit = {});

/// A time above 0 in seconds: "50 us", "0.05ms", "about 40 us". Without a unit it is none.
std::optional<double> typed_seconds(std::string_view typed);

/// The words between commas or blanks, each once.
std::vector<std::string> typed_words(std::string_view typed);

/// True where each lies within that factor of the other.
bool within(double a, double b, double factor);

/// True where the text can be an answer to the unit at all: names are those of the trace, where `truth` has
/// them.
bool is_answer(const CourseUnit& unit, std::string_view typed, const Truth& truth = {});
/// True where it is the right one.
bool is_right(const CourseUnit& unit, std::string_view typed, const Truth& truth);

/// "2 of 3 names are right.", where the unit asks for several; else empty.
std::string partly_right(const CourseUnit& unit, std::string_view typed, const Truth& truth);

/// A remark, with a blank behind it, where two choices have been named as one, or something that the trace
/// does not have; else empty.
std::string asked_back(const CourseUnit& unit, std::string_view typed, const Truth& truth = {});

/// What may be typed: "too little, agrees or too much", "a number from 1 to 100".
std::string expected_answer(const CourseUnit& unit);
/// The same with every way to write it, one paragraph a choice.
std::string accepted_answers(const CourseUnit& unit);

}  // namespace harness::pages
