#include "harness/support/field.hpp"
#include "harness/worker/measure_row.hpp"

#include <cerrno>
#include <fstream>
#include <system_error>

namespace harness::worker {
namespace {

constexpr int warm_runs = 2;  // allocators and graphs have then what they keep

void mark(const std::string& calls, const Json& line) {
  std::ofstream out(calls, std::ios::app);
  out << line.dump() + "\n" << std::flush;
  if (!out) throw std::system_error(errno, std::generic_category(), calls);
}

void record_form(const Trial& trial, Form form, const results::Row& row, const std::string& calls,
                 Surroundings& around) {
  const auto drain = [&] { around.finish(row.device); };
  const auto& run = form == Form::naive ? trial.naive : trial.optimized;
  trial.clear();
  if (trial.before_slot) trial.before_slot(form);
  for (int i = 0; i < warm_runs; ++i) run();
  drain();
  mark(calls, {{"mark", "begin"}, {"row", row.name}, {"form", to_string(form)}});
  auto host = around.watch_host(calls);
  run();
  host.reset();
  mark(calls, {{"mark", "end"}});
  drain();
}

}  // namespace

void record_into(results::Row& row, const run::StepAt& found, Bench& bench, const std::string& calls) {
  row.stage = "setup";
  bench.setup.device = found.device;
  bench.setup.stream = bench.around->stream_for(found.device);
  const auto trial = found.step->prepare(bench.setup, found.point);
  bench.around->finish(found.device);
  row.stage = "record";
  for (const auto form : {Form::naive, Form::optimized}) record_form(trial, form, row, calls, *bench.around);
  row.stage.clear();
}

}  // namespace harness::worker
