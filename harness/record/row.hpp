// What is known of one row once it has been measured: the unit of the table and of the results file.
#pragma once

#include "harness/record/profile.hpp"
#include "harness/stats/interval.hpp"
#include "harness/stats/variance.hpp"
#include "harness/stats/verdict.hpp"
#include "harness/step.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace harness {

/// One timed slot. `seconds` and `cpu_seconds` are of one run of the form; `start` counts from the begin of
/// the worker process.
struct Sample {
  int round = 0;
  int pair = 0;
  int quad = 0;
  int slot = 0;
  Form form = Form::naive;
  int set = 0;
  double seconds = 0;
  double cpu_seconds = 0;
  double start = 0;
  std::uint64_t clock_events = 0;  // bits of nvmlClocksEventReason before and after it; 0 without NVML
};

/// What was measured, before it is judged.
struct Measurement {
  std::int64_t iterations = 0;  // runs in a slot, the same for both forms; 0 before the rehearsal
  int pairs = 1;                // crossed pairs in a round; may rise after a look (docs/measuring.md 5)
  Timer timer = Timer::wall;
  Statistic statistic = Statistic::median;
  std::size_t bytes_moved = 0;
  // One a round. The log ratio is ln(time(optimized) / time(naive)); set-up is making the two sets, uploads
  // included, and is not timed; switches are those that took the CPU away while the slots ran.
  std::vector<double> log_ratios;
  std::vector<double> setup_seconds;
  std::vector<std::int64_t> switches;
  std::vector<Sample> samples;
  std::vector<Figure> figures;
  int discarded = 0;  // crossed pairs taken again, since the driver had lowered the device's clocks
};

/// One kind of work that a tip removes (or adds: below 0), in one run.
struct RemovedWork {
  std::string what;   // "operator calls"
  double count = 0;   // calls, copies, products ...
  double amount = 0;  // their bytes or FLOP; 0 where they have none
  double seconds = 0;
  Interval interval;  // of the seconds
};

/// What a row was predicted to save before it ran: docs/predictions.md. Seconds of one run; above 0: saved.
struct Prediction {
  std::string reason = {};  // why there is none; then all else is empty
  double saving = 0;
  Interval interval;
  double hidden = 0;     // what else is removed and was hidden behind something longer, at its price
  double explained = 0;  // the price of all that the form below does, as a share of its time
  double below = 0;      // that time, without the profiler
  std::vector<RemovedWork> removes = {};
  std::string prices_taken = {};  // ISO 8601
};

/// One row of the table: a step at a point on a device.
struct Row {
  std::string name;
  std::string step;
  std::vector<Coordinate> at;
  Device device;
  Outcome expected = Outcome::depends;
  std::string published;
  double delta = 0;
  Measurement measured;
  Judgement judged;
  bool confirmed = false;    // the verdict also stands where all rows are judged together
  int rounds = 0;            // those that the verdict rests on: the last completed look
  std::string reason;        // why it was skipped, failed or is invalid; empty otherwise
  std::string stage;         // where that happened: select, setup, answer, measure, worker
  double naive_seconds = 0;  // median over the slots of that form; 0 where nothing was timed
  double optimized_seconds = 0;
  std::optional<VarianceSplit> variance = {};  // empty where rounds have one pair: then it cannot be split
  double row_seconds = 0;                      // what the row took in all, rehearsal and rounds
  std::optional<RowProfile> profile = {};
  std::optional<Prediction> prediction = {};  // of `run --predict`
};

}  // namespace harness
