#include "harness/cli/report_traces.hpp"

#include "harness/report/diagnosis.hpp"

#include <algorithm>
#include <filesystem>

namespace harness {
namespace {

constexpr std::size_t most_operators = 40;

}  // namespace

Json trace_data(const std::string& path, const Program& program, StandIn stand_in) {
  const auto has_step = [&](std::string_view step) {
    return std::ranges::find(program.catalogue.steps, step, &CatalogueStep::id) !=
           program.catalogue.steps.end();
  };
  std::vector<Diagnosis> diagnoses;
  for (const auto& file : trace_files(path)) {
    const auto trace = read_trace(file);
    for (const auto& device : trace.devices)
      check_stand_in(is_stand_in(device.name), stand_in, file.string());
    diagnoses.push_back(diagnose(trace, {}, has_step));
  }
  require_ranks(diagnoses);
  auto json = diagnosis_json(diagnoses);
  for (auto& trace : json["traces"])
    trace["file"] = std::filesystem::path(trace["file"].get<std::string>()).filename().string();
  auto& table = json["op_table"];  // it comes by self time; the page shows the top
  json["operators"] = table.size();
  while (table.size() > most_operators) table.erase(table.size() - 1);
  return json;
}

}  // namespace harness
