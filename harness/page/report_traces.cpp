#include "harness/page/report_traces.hpp"

#include "harness/trace/diagnosis_text.hpp"

#include <algorithm>
#include <filesystem>

namespace harness::page {
namespace {

constexpr std::size_t most_operators = 40;

}  // namespace

Json trace_data(const std::string& path, const catalogue::Program& program, results::StandIn stand_in) {
  const auto has_step = [&](std::string_view step) {
    return std::ranges::find(program.catalogue.steps, step, &catalogue::Step::id) !=
           program.catalogue.steps.end();
  };
  std::vector<trace::Diagnosis> diagnoses;
  for (const auto& file : trace::trace_files(path)) {
    const auto trace = trace::read_trace(file);
    for (const auto& device : trace.devices)
      results::check_stand_in(results::is_stand_in(device.name), stand_in, file.string());
    diagnoses.push_back(trace::diagnose(trace, {}, has_step));
  }
  trace::require_ranks(diagnoses);
  auto json = trace::diagnosis_json(diagnoses);
  for (auto& trace : json["traces"])
    trace["file"] = std::filesystem::path(trace["file"].get<std::string>()).filename().string();
  auto& table = json["op_table"];  // it comes by self time; the page shows the top
  json["operators"] = table.size();
  while (table.size() > most_operators) table.erase(table.size() - 1);
  return json;
}

}  // namespace harness::page
