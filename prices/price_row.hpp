// One row of the price list: a body under a name, given to Google Benchmark by a plain call.
#pragma once

#include <benchmark/benchmark.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace prices {

/// Who takes the time: Google Benchmark, on the host, or the body itself.
enum class Clock { host, own };

using Body = std::function<void(benchmark::State&)>;

/// What the error of a row begins with that this machine cannot bear: it is skipped, and has not failed.
inline constexpr std::string_view skipped = "skipped: ";

/// Why the run has no time, if so. Google Benchmark 1.8 has other members for it.
template <class Run>
std::optional<std::string_view> error_of(const Run& run) {
  if constexpr (requires { run.error_occurred; })
    return run.error_occurred ? std::optional<std::string_view>(run.error_message) : std::nullopt;
  else
    return static_cast<int>(run.skipped) != 0 ? std::optional<std::string_view>(run.skip_message)
                                              : std::nullopt;
}

/// Puts the row on the list. What the body throws becomes the row's error.
void add(const std::string& name, Clock clock, Body body);

/// A row with a clock of its own costs the median of its samples, not their mean. To be called once, behind
/// the loop. Google Benchmark asks for the time of each iteration, of which it only takes the sum.
void report_median(benchmark::State& state, std::vector<double> seconds_per_call);

/// Takes samples of `calls` calls each, at least three; `sample` does one and gives back its seconds.
template <class Sample>
void sample_calls(benchmark::State& state, benchmark::IterationCount calls, Sample&& sample) {
  constexpr benchmark::IterationCount samples = 3;
  std::vector<double> seconds;
  while (state.KeepRunningBatch(samples * calls))
    for (int i = 0; i < samples; ++i) seconds.push_back(sample() / static_cast<double>(calls));
  report_median(state, std::move(seconds));
}

/// The row's bytes per second, from the bytes of one iteration.
void count_bytes(benchmark::State& state, std::size_t bytes);

}  // namespace prices
