// A file of Google Benchmark.
#pragma once

#include "harness/results/stand_in.hpp"
#include "harness/support/field.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace harness::compare {

constexpr std::string_view cpu_time_name = "CPU time";

/// The repetitions of one benchmark, in ln(seconds), or why there are none.
struct Repetitions {
  std::vector<double> logs;
  std::map<std::string, std::vector<double>> figures;  // CPU time in seconds, rates, memory, own counters
  double seconds = 0;                                  // in which it ran
  std::string error;
};

/// Which of the families of one name it is: a file may register a name twice.
using Family = std::pair<double, double>;

/// What is compared of it.
struct GbenchFile {
  std::string file;
  std::map<std::string, std::string> context;
  std::vector<std::string> order;
  std::map<std::string, Repetitions> benchmarks;
  std::map<std::string, std::map<Family, std::size_t>>
      families;  // by the name that the file has: each's place
};

/// Reads it. Throws BadInput for a file of aggregates, and for prices of the stand-in where these are not
/// allowed.
GbenchFile read_gbench(const Field& root, results::StandIn stand_in);

}  // namespace harness::compare
