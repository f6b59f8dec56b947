#include "harness/page/report.hpp"
#include "harness/page/run_data.hpp"

namespace harness {

Json report_data(const Report& report) {
  Json data{{"program", report.program}, {"runs", Json::array()}};
  for (const auto& reported : report.runs) data["runs"].push_back(reported.data);
  data["steps"] = report.steps;
  data["prices"] = report.prices;
  data["self_tests"] = report.self_tests;
  data["traces"] = report.traces;
  data["comparison"] = nullptr;
  if (report.comparison) {
    data["comparison"] = comparison_data(*report.comparison);
    auto base = report.base->data;
    for (auto& row : base["rows"])  // the comparison has what else it needs of them
      row = {{"device", row.value("device", Json())}, {"verdict", row.value("verdict", Json())}};
    data["comparison"]["base_run"] = std::move(base);
  }
  return data;
}

}  // namespace harness
