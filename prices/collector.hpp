// Passes everything on to the reporter that Google Benchmark would use, and keeps what the balance needs.
#pragma once

#include "prices/balance.hpp"

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

namespace prices {

class Collector : public benchmark::BenchmarkReporter {
 public:
  explicit Collector(benchmark::BenchmarkReporter& display) : display_(display) {}

  bool ReportContext(const Context& context) override;
  void ReportRuns(const std::vector<Run>& runs) override;
  void Finalize() override { display_.Finalize(); }

  /// One for each row that succeeded: of repetitions the medians.
  std::vector<Price> prices() const;
  /// Rows, or repetitions of rows, that ended in an error and were not merely skipped.
  int failures() const { return failures_; }

 private:
  struct Samples {
    std::string name;
    std::vector<double> seconds, bytes_per_second, flop_per_second;
  };
  void take(const Run& run);

  benchmark::BenchmarkReporter& display_;
  std::vector<Samples> rows_;
  int failures_ = 0;
};

}  // namespace prices
