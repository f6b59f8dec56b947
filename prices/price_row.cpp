#include "prices/price_row.hpp"

#include "harness/core/median.hpp"
#include "harness/core/setup.hpp"
#include "harness/libtorch/torch_runtime.hpp"

namespace prices {
namespace {

void run_guarded(const Body& body, benchmark::State& state) {
  try {
    body(state);
  } catch (const harness::Skip& skip) {
    state.SkipWithError((std::string(skipped) + skip.what()).c_str());
  } catch (const std::exception& error) {
    const auto fault = harness::fault_of(error, {});
    state.SkipWithError((std::string(fault.out_of_memory ? skipped : "") + fault.sentence).c_str());
  }
}

}  // namespace

void add(const std::string& name, Clock clock, Body body) {
  auto* row = benchmark::RegisterBenchmark(
      name.c_str(), [body = std::move(body)](benchmark::State& state) { run_guarded(body, state); });
  if (clock == Clock::own)
    row->UseManualTime();
  else
    row->UseRealTime();
}

void report_median(benchmark::State& state, std::vector<double> seconds_per_call) {
  if (seconds_per_call.empty()) return;
  const double median = harness::median(std::move(seconds_per_call));
  state.SetIterationTime(median * static_cast<double>(state.iterations()));
}

void count_bytes(benchmark::State& state, std::size_t bytes) {
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes));
}

}  // namespace prices
