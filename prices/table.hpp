// What Google Benchmark prints its rows with, as wide as the terminal.
#pragma once

#include "harness/support/terminal.hpp"

#include <benchmark/benchmark.h>

#include <cstddef>

namespace prices {

/// In place of Google Benchmark's own table, which is wider than 100 columns, counts rates in 2^30, and shows
/// the host's CPU time of rows that a device or another process works for.
class Table : public benchmark::ConsoleReporter {
 public:
  explicit Table(const harness::Style& style) : ConsoleReporter(OO_None), style_(style) {}

 protected:
  void PrintHeader(const Run& run) override;
  void PrintRunData(const Run& run) override;

 private:
  std::size_t width() const;

  harness::Style style_;
};

}  // namespace prices
