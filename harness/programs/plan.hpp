// What is held against each other, and by which figure. It lies among the options of a results file, so that
// a session can go on from its file alone.
#pragma once

#include "harness/core/setup.hpp"

#include <vector>

namespace harness::programs {

/// What of a run is judged.
enum class Metric { wall, cpu, memory, instructions, step, printed };

/// As --metric has it; "printed" is --metric-from's.
std::string_view to_string(Metric metric);
/// Throws BadInput for any other text.
Metric metric_from(const std::string& text);

/// One of the commands; the first is the one that the others are held against.
struct Candidate {
  std::string name;     // the command, or what --name calls it
  std::string command;  // as typed
  std::string prepare = {}, setup = {};
  std::string per = {};  // a number that its metric is divided by: the samples of a step; empty: 1
  bool operator==(const Candidate&) const = default;
};

/// What its metric is divided by.
double divisor(const Candidate& candidate);

struct Plan {
  std::vector<Candidate> candidates;
  Metric metric = Metric::wall;
  std::string printed = {};      // the expression whose number is the metric
  bool more_is_better = false;   // of that number
  std::string same_output = {};  // an expression: what it matches is equal in all commands
  std::string within = {};       // a share: it is a number, and may be so much above the first command's
  std::string shell = "/bin/sh", input = {}, cleanup = {}, timeout = "1h";
  int warmup = 0;
  std::int64_t steps = 0;  // after which a training is ended; 0: it goes on to its own end
  bool ignore_failure = false;
  bool gates = false;  // a slower command fails
  bool operator==(const Plan&) const = default;
};

constexpr int most_warmup = 1000;

Options to_options(const Plan& plan);
/// The inverse. Throws BadInput, which names the file, where they are another command's, or numbers that no
/// option takes.
Plan plan_from(const Options& options, const std::string& file);

/// The words of the metric: what a table calls it, and what it says of less and of more.
struct MetricWords {
  std::string heading, less, more;
};
MetricWords words_of(const Plan& plan);

/// One value as a person reads it.
std::string value_text(const Plan& plan, double value);

}  // namespace harness::programs
