// What a row showed under the profiler, in a process of its own and beside its timings, and which runs of a
// form were recorded.
#pragma once

#include "harness/core/step.hpp"

namespace harness::results {

/// torch.profiler's words, counted in runs of the form. Each repetition lets `wait` runs pass, makes the
/// profiler ready for `warmup` runs, records `active` runs, and is a trace file of its own.
struct Schedule {
  int wait = 10;
  int warmup = 10;
  int active = 20;
  int repeat = 1;

  int runs() const { return repeat * (wait + warmup + active); }
  bool operator==(const Schedule&) const = default;
};

/// "wait=10,warmup=10,active=20,repeat=1".
std::string to_string(const Schedule& schedule);
/// The inverse; parts that are left out stay as they are in `otherwise`. Throws BadInput, naming `flag`.
Schedule parse_schedule(const std::string& text, const std::string& flag, const Schedule& otherwise);

/// One form's runs with and without the profiler. Times are of one recorded run: docs/profile.md.
struct FormProfile {
  Form form = Form::naive;
  int runs = 0;                          // recorded, all repetitions together
  double seconds_on = 0;                 // with the profiler
  double seconds_before = 0;             // the same runs without it, in a pass before that
  double seconds_after = 0;              // and in a pass after
  std::vector<std::string> traces = {};  // files, one a repetition

  double seconds_off() const { return (seconds_before + seconds_after) / 2; }
};

/// What the source's profile showed, over its whole run; in the unit of the column.
struct PublishedChange {
  double before = 0;  // 0: not published
  std::optional<double> after;
  std::string where;
};

/// One of the published columns, for one run of each form; nothing where there was no device to measure it
/// on, or where the form was not profiled.
struct ProfileFigure {
  std::string name;
  std::string unit;  // "s" or "calls"
  std::optional<double> naive;
  std::optional<double> optimized;
  std::optional<PublishedChange> published = {};
};

struct RowProfile {
  Schedule schedule;
  std::vector<FormProfile> forms;
  std::vector<ProfileFigure> figures;
  std::string reason = {};  // why there is nothing; empty otherwise
};

}  // namespace harness::results
