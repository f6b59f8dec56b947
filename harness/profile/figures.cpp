#include "harness/profile/figures.hpp"

#include "harness/trace/nesting.hpp"
#include "harness/trace/op_table.hpp"
#include "harness/trace/trace.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace harness::profile {
namespace {

constexpr double seconds_per_us = 1e-6;

/// Sums over one form's traces, in microseconds and calls.
struct Totals {
  bool device_worked = false;
  double self_cpu = 0, self_cuda = 0;
  double copy_calls = 0, copy_cpu = 0, copy_cuda = 0;
  double htod_calls = 0, htod = 0;
};

void add(Totals& totals, const trace::Trace& trace) {
  const auto table = trace::op_table(trace, trace::nest(trace));
  totals.device_worked = totals.device_worked || std::ranges::any_of(trace.events, [](const trace::Event& e) {
                           return trace::on_device(e.kind);
                         });
  totals.self_cpu += table.self_cpu_us;
  totals.self_cuda += table.self_device_us;
  for (const auto& row : table.rows) {
    if (row.name == "aten::copy_") {
      totals.copy_calls += static_cast<double>(row.calls);
      totals.copy_cpu += row.self_cpu_us;
      totals.copy_cuda += row.self_device_us;
    }
    if (row.device_row && row.name.starts_with("Memcpy HtoD")) {
      totals.htod_calls += static_cast<double>(row.calls);
      totals.htod += row.self_device_us;
    }
  }
}

struct Column {
  std::string_view name;
  std::string_view unit;
  double Totals::* value;
  bool of_device;
};
constexpr std::array<Column, 7> columns{{{"Self CPU", "s", &Totals::self_cpu, false},
                                         {"Self CUDA", "s", &Totals::self_cuda, true},
                                         {"aten::copy_ calls", "calls", &Totals::copy_calls, false},
                                         {"aten::copy_ Self CPU", "s", &Totals::copy_cpu, false},
                                         {"aten::copy_ Self CUDA", "s", &Totals::copy_cuda, true},
                                         {"Memcpy HtoD calls", "calls", &Totals::htod_calls, true},
                                         {"Memcpy HtoD time", "s", &Totals::htod, true}}};

}  // namespace

std::vector<results::ProfileFigure> profile_figures(const std::vector<results::FormProfile>& forms) {
  std::vector<results::ProfileFigure> figures;
  for (const auto& column : columns)
    figures.push_back({std::string(column.name), std::string(column.unit), {}, {}});
  for (const auto& form : forms) {
    Totals totals;
    for (const auto& file : form.traces) add(totals, trace::read_trace(file));
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const auto& column = columns[i];
      if (column.of_device && !totals.device_worked) continue;
      const double per_run = totals.*column.value / form.runs * (column.unit == "s" ? seconds_per_us : 1);
      (form.form == Form::naive ? figures[i].naive : figures[i].optimized) = per_run;
    }
  }
  return figures;
}

}  // namespace harness::profile
