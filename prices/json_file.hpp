// The file of --benchmark_out in JSON, whole after every row: what ended is kept, whatever ends the program.
#pragma once

#include "prices/out_file.hpp"

#include <benchmark/benchmark.h>

#include <sstream>
#include <string>
#include <vector>

namespace prices {

/// Given to Google Benchmark as the reporter of its file. It writes what Google Benchmark's own would have
/// written, but after each row, into `file`, which must outlive it.
class JsonFile : public benchmark::BenchmarkReporter {
 public:
  explicit JsonFile(const OutFile& file);

  bool ReportContext(const Context& context) override;
  void ReportRuns(const std::vector<Run>& runs) override;
  /// Throws BadInput where the rows could not be stored.
  void finish();

 private:
  std::string whole();

  const OutFile& file_;
  std::ostringstream text_{std::ios::ate};
  benchmark::JSONReporter json_;
  bool any_ = false;
};

}  // namespace prices
