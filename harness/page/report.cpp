#include "harness/page/report.hpp"

#include "harness/page/run_data.hpp"
#include "harness/results/stand_in.hpp"

#include <algorithm>

namespace harness::page {
namespace {

bool diagnosed_on_stand_in(const Json& diagnosis) {
  return std::ranges::any_of(diagnosis["traces"], [](const Json& trace) {
    return trace["device"].is_string() && results::is_stand_in(trace["device"].get<std::string>());
  });
}

/// True where one of the files that the report shows was measured on the stand-in.
bool shows_stand_in(const Report& report) {
  const auto ran_there = [](const results::Results& run) { return results::on_stand_in(run.fingerprint); };
  const auto proved_there = [](const Json& self_test) { return results::on_stand_in(self_test["test"]); };
  const auto priced_there = [](const Json& prices) { return results::on_stand_in(prices); };
  return std::ranges::any_of(report.runs, ran_there) || (report.base && ran_there(*report.base)) ||
         std::ranges::any_of(report.self_tests, proved_there) ||
         std::ranges::any_of(report.prices, priced_there) ||
         std::ranges::any_of(report.traces, diagnosed_on_stand_in);
}

}  // namespace

std::string script_json(const Json& data) {
  const auto plain = data.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string text;
  text.reserve(plain.size());
  for (const char c : plain) {
    if (c == '<')
      text += "\\u003c";  // outside of strings JSON has none
    else
      text += c;
  }
  return text;
}

std::string page_html(const Json& data) {
  const auto [before, behind] = page_template();
  std::string page(before);
  page += script_json(data);
  page += behind;
  return page;
}

Json report_data(const Report& report) {
  Json data{{"program", report.program}, {"runs", Json::array()}};
  for (const auto& run : report.runs) data["runs"].push_back(run_data(run));
  data["stand_in"] = shows_stand_in(report) ? Json(results::stand_in_warning) : Json();
  data["steps"] = report.steps;
  data["prices"] = report.prices;
  data["self_tests"] = report.self_tests;
  data["traces"] = report.traces;
  data["history"] = report.history;
  data["simulations"] = report.simulations;
  data["comparison"] = nullptr;
  if (report.comparison) {
    data["comparison"] = comparison_data(*report.comparison);
    auto base = run_data(*report.base);
    for (auto& row : base["rows"])  // the comparison has what else it needs of them
      row = {{"device", row["device"]}, {"verdict", row["verdict"]}};
    data["comparison"]["base_run"] = std::move(base);
  }
  return data;
}

}  // namespace harness::page
