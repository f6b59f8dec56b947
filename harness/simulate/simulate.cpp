#include "harness/simulate/simulate.hpp"

#include "harness/core/setup.hpp"
#include "harness/simulate/cost.hpp"
#include "harness/simulate/units.hpp"
#include "harness/support/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace harness::simulate {
namespace {

const Entry* first_uncounted(const std::vector<Entry>& entries) {
  for (const auto& entry : entries) {
    if (entry.uncounted) return &entry;
    if (const auto* node = first_uncounted(entry.nodes)) return node;
  }
  return nullptr;
}

void simulate_form(const FormRecord& form, const Gpu& gpu, SimulatedRow& row) {
  if (const auto* entry = first_uncounted(form.entries))
    throw BadInput(fmt::format("the work of '{}' is not counted", entry->name));
  auto line = play(schedule_of(form, gpu), rules_of(gpu));
  const auto time = seconds(line.end);
  row.forms.push_back({form.form, std::move(line), time});
}

Json busy_to_json(const Timeline& line) {
  double kernels = 0;
  double in = 0;
  double out = 0;
  for (const auto& span : line.device)
    (span.engine == Engine::multiprocessors ? kernels
     : span.engine == Engine::to_device     ? in
                                            : out) += seconds(span.end - span.begin);
  return {{"kernels_seconds", kernels}, {"to_device_seconds", in}, {"to_host_seconds", out}};
}

Json form_to_json(const SimulatedForm& form) {
  return {{"form", form.form},
          {"simulated_seconds", form.seconds},
          {"host_seconds", seconds(form.line.host_end)},
          {"busy", busy_to_json(form.line)},
          {"commands", form.line.device.size()}};
}

}  // namespace

double SimulatedRow::ratio() const { return forms.back().seconds / forms.front().seconds; }

SimulatedRow simulate_row(const RowRecord& row, const Gpu& gpu) {
  SimulatedRow simulated{row.row, gpu.title, {}, {}};
  try {
    for (const auto& form : row.forms) simulate_form(form, gpu, simulated);
  } catch (const BadInput& error) {
    simulated.reason = error.what();
  } catch (const std::invalid_argument& error) {
    simulated.reason = error.what();
  }
  return simulated;
}

std::vector<SimulatedRow> simulate_rows(const Recording& recording, const std::vector<Gpu>& gpus) {
  std::vector<SimulatedRow> rows;
  for (const auto& row : recording.rows)
    for (const auto& gpu : gpus) rows.push_back(simulate_row(row, gpu));
  return rows;
}

std::string simulated_table(const std::vector<SimulatedRow>& rows, const Style& style) {
  Columns table({"row", "<simulated on", "naive", "optimized", "change"});
  std::string cannot;
  for (const auto& row : rows) {
    if (row.reason.empty())
      table.add({row.row, row.gpu, time_text(row.forms.front().seconds), time_text(row.forms.back().seconds),
                 percent_text(row.ratio()) + " %"});
    else
      cannot += fmt::format("  {} on {}: cannot simulate: {}\n", row.row, row.gpu, row.reason);
  }
  return fmt::format("{}\n\n{}{}", simulated_warning, table.empty() ? "" : table.text(style), cannot);
}

Json simulation_to_json(const std::vector<SimulatedRow>& rows, const std::vector<Gpu>& gpus) {
  Json json;
  json["tuneproof"] = {{"schema", "tuneproof.simulation"}, {"schema_version", {{"major", 1}, {"minor", 0}}}};
  json["warning"] = simulated_warning;
  json["gpus"] = Json::array();
  for (const auto& gpu : gpus)
    json["gpus"].push_back({{"name", gpu.name}, {"title", gpu.title}, {"values", gpu.values}});
  json["simulated"] = Json::array();
  for (const auto& row : rows) {
    Json forms = Json::array();
    for (const auto& form : row.forms) forms.push_back(form_to_json(form));
    const bool can = row.reason.empty();
    json["simulated"].push_back({{"row", row.row},
                                 {"simulated_on", row.gpu},
                                 {"forms", can ? forms : Json::array()},
                                 {"simulated_ratio", can ? finite(row.ratio()) : Json(nullptr)},
                                 {"cannot", row.reason}});
  }
  return json;
}

}  // namespace harness::simulate
