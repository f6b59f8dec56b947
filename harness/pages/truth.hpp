// What an answer of the course is held against: this machine's measurement, or what a shipped trace says.
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
  bool disturbed = false;  // measured while other work took the CPUs: it cannot show that an answer is wrong
};

/// Of a measured row. A row that was skipped or failed gives no truth, nor does one that cannot tell.
Truth truth_of(const CourseUnit& unit, const results::Row& row);
/// Of a price in seconds.
Truth truth_of(const CourseUnit& unit, double seconds);
/// Of a trace.
Truth truth_of(const CourseUnit& unit, const trace::Diagnosis& diagnosis);
/// Of an exercise that needs neither.
Truth order_of(const CourseUnit& unit);

}  // namespace harness::pages
