// What parent and worker say to each other. The parent asks for rows and what to do with them, as one JSON
// object on standard input. The worker answers in JSON lines on a descriptor of its own, so that what a step
// prints cannot be mistaken for a result.
#pragma once

#include "harness/core/plant.hpp"
#include "harness/core/setup.hpp"
#include "harness/core/step.hpp"
#include "harness/results/row.hpp"

namespace harness::run {

/// The row has begun.
struct RowBegun {
  std::string row;
};
/// `done` of `of` passes of a row under the profiler are over.
struct PassWalked {
  std::string row;
  int done = 0;
  int of = 0;
};
/// The row is finished, whatever came of it: its `measured` holds what this worker has found out, the
/// rehearsal, one round or a profile.
struct RowEnded {
  results::Row row;
};
/// What the user gave is wrong; the whole run ends with this sentence.
struct InputRejected {
  std::string message;
};
/// The worker has done what it will do: all rows, or as many as the budget allowed.
struct WorkerEnded {
  results::Disturbance disturbance = {};
};

using WorkerEvent = std::variant<RowBegun, PassWalked, RowEnded, InputRejected, WorkerEnded>;

/// One line, its end included.
std::string event_to_json(const WorkerEvent& event);
/// Throws BadInput where the line is not an event.
WorkerEvent event_from_json(std::string_view line);

/// What program and worker say to each other, catalog, tasks and events, has this number; it rises where one
/// would no longer understand the other (task.test.cpp holds that). A worker tells its own when it is probed.
constexpr int worker_protocol = 2;

/// The worker profiles rows instead of measuring them: these forms, one after the other.
struct ProfilePlan {
  results::Schedule schedule;
  std::vector<Form> forms = {Form::naive, Form::optimized};
  std::string folder;  // where the worker leaves its traces
};

struct Task {
  std::uint64_t seed = 0;       // of the order
  std::uint64_t data_seed = 0;  // of made-up data
  Device device = {};           // of the session; its index is that of every CUDA row
  int threads = 1;
  Options options = {};
  std::optional<int> round = {};              // from 0; nothing: the rehearsal
  std::optional<double> budget_seconds = {};  // what is left of it: no row begins later
  std::vector<results::Row> rows = {};        // in order; a worker reads their name, iterations and pairs
  std::optional<ProfilePlan> profile = {};    // nothing: the rows are measured
  std::optional<std::string> count = {};      // instructions are counted: InstructionCount's folder
  std::string calls = {};                     // a file: the rows only run once, with marks in it
  Plant plant = {};                           // in all rows
  std::string loader = {};                    // Setup::loader
  bool memory = false;                        // descriptor 4 is the session's memory
  int parent = 0;                             // the process without which the worker has no business to live
};

/// One line.
std::string task_to_json(const Task& task);
/// Throws BadInput where it is malformed.
Task task_from_json(std::string_view text);

}  // namespace harness::run
