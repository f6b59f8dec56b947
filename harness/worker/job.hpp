// What the parent asks of a worker: rows and a plan, as one JSON object on standard input.
#pragma once

#include "harness/profile/schedule.hpp"
#include "harness/setup.hpp"
#include "harness/stats/verdict.hpp"
#include "harness/step.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace harness {

/// Rows are to be profiled, not measured: these forms, one after the other.
struct ProfilePlan {
  Schedule schedule;
  std::vector<Form> forms = {Form::naive, Form::optimized};
  std::string folder;  // where the worker leaves its traces
};

struct Job {
  std::uint64_t seed = 0;
  Device device = {};  // of the session; its index is that of every CUDA row
  int threads = 1;
  Options options = {};
  std::vector<int> looks = {14};
  double alpha = 0.01;
  std::optional<double> budget_seconds = {};  // what is left of it; the row in flight then ends early
  std::vector<std::string> rows = {};         // names, in order
  std::optional<ProfilePlan> profile = {};    // nothing: the rows are measured
  int parent = 0;                             // the process without which the worker has no business to live
};

/// One line.
std::string job_to_json(const Job& job);
/// Throws BadInput where it is malformed.
Job job_from_json(std::string_view text);

}  // namespace harness
