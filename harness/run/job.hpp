// What the parent asks of a worker: rows and what to do with them, as one JSON object on standard input.
#pragma once

#include "harness/core/plant.hpp"
#include "harness/core/setup.hpp"
#include "harness/core/step.hpp"
#include "harness/results/profile_schedule.hpp"
#include "harness/results/row.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace harness::run {

/// What program and worker say to each other, jobs and events, has this number; it rises where a worker would
/// no longer understand the other side. A worker tells its own when it is probed.
constexpr int worker_protocol = 1;

/// Rows are to be profiled, not measured: these forms, one after the other.
struct ProfilePlan {
  results::Schedule schedule;
  std::vector<Form> forms = {Form::naive, Form::optimized};
  std::string folder;   // where the worker leaves its traces
  bool memory = false;  // allocations are recorded too
};

struct Job {
  std::uint64_t seed = 0;       // of the order
  std::uint64_t data_seed = 0;  // of made-up data
  Device device = {};           // of the session; its index is that of every CUDA row
  int threads = 1;
  Options options = {};
  std::optional<int> round = {};              // from 0; nothing: the rehearsal
  std::optional<double> budget_seconds = {};  // what is left of it: no row begins later
  std::vector<results::Row> rows = {};        // in order; a worker reads their name, iterations and pairs
  std::optional<ProfilePlan> profile = {};    // nothing: the rows are measured
  Plant plant = {};                           // in all rows
  std::string loader = {};                    // Setup::loader
  bool memory = false;                        // descriptor 4 is the session's memory
  int parent = 0;                             // the process without which the worker has no business to live
};

/// One line.
std::string job_to_json(const Job& job);
/// Throws BadInput where it is malformed.
Job job_from_json(std::string_view text);

}  // namespace harness::run
