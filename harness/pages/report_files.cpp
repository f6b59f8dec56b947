#include "harness/pages/report_files.hpp"

#include "harness/core/setup.hpp"
#include "harness/machine/build_info.hpp"
#include "harness/pages/explain.hpp"
#include "harness/pages/run_data.hpp"
#include "harness/run/machine_lines.hpp"
#include "harness/run/self_test_file.hpp"
#include "harness/trace/diagnosis_text.hpp"
#include "harness/trace/foreign.hpp"

#include <fmt/format.h>

#include <cmath>

namespace harness::pages {
namespace {

// Simulated rows on the page: beside what was measured, and never taken for it.

constexpr int simulation_major = 1;

double positive(const Field& field) {
  const auto value = field.number();
  if (!std::isfinite(value) || value <= 0) field.reject("expected a number above 0");
  return value;
}

/// The interval around `value`.
Json interval(const Field& json, double value) {
  const auto [low, high] = json.rising_pair();
  if (!(low > 0) || !std::isfinite(high)) json.reject("expected two numbers above 0");
  constexpr double rounding = 1e-9;  // ends are worked out by exponentials
  if (value < low * (1 - rounding) || value > high * (1 + rounding))
    json.reject(fmt::format("the interval does not hold its value, {:g}", value));
  return {low, high};
}

std::string name_from(const Field& field) {
  auto text = field.text();
  if (text.empty()) field.reject("expected a name");
  return text;
}

Json form_data(const Field& form, std::string_view name) {
  if (form["form"].text() != name) form["form"].reject(fmt::format("expected '{}'", name));
  const auto seconds = positive(form["simulated_seconds"]);
  return {{"seconds", seconds}, {"interval", interval(form["interval"], seconds)}};
}

double ratio_of(const Field& row, double naive, double optimized) {
  const auto ratio = positive(row["simulated_ratio"]);
  constexpr double rounding = 1e-6;
  if (std::abs(ratio / (optimized / naive) - 1) > rounding)
    row["simulated_ratio"].reject(fmt::format("the forms' times have the ratio {:g}", optimized / naive));
  return ratio;
}

Json row_data(const Field& row) {
  const auto cannot = row["cannot"].text();
  Json data{{"row", name_from(row["row"])}, {"gpu", name_from(row["simulated_on"])}, {"cannot", cannot}};
  const auto forms = row["forms"].entries();
  if (forms.empty() && !cannot.empty()) return data;
  if (forms.size() != 2 || !cannot.empty())
    row["forms"].reject("expected two forms, or none and a reason in 'cannot'");
  data["naive"] = form_data(forms[0], "naive");
  data["optimized"] = form_data(forms[1], "optimized");
  const auto ratio =
      ratio_of(row, data["naive"]["seconds"].get<double>(), data["optimized"]["seconds"].get<double>());
  data["ratio"] = ratio;
  data["ratio_interval"] = interval(row["ratio_interval"], ratio);
  return data;
}

/// True for a file of `tuneproof simulate --json`.
bool is_simulation(const Field& root) {
  const auto block = root.find("tuneproof");
  if (!block || !block->json().is_object()) return false;
  const auto schema = block->find("schema");
  return schema && schema->json() == "tuneproof.simulation";
}

/// Its rows, for a section of their own with the file's warning. Throws BadInput where it is malformed.
Json simulation_data(const Field& root) {
  const auto major = root["tuneproof"]["schema_version"]["major"];
  if (major.integer() != simulation_major)
    major.reject(fmt::format("version {} of a simulation is unknown here", major.integer()));
  auto rows = Json::array();
  for (const auto& row : root["simulated"].entries()) rows.push_back(row_data(row));
  if (rows.empty()) root["simulated"].reject("the simulation has no row");
  return {{"warning", trace::simulated_warning},
          {"recording", root["recording"].text()},
          {"rows", std::move(rows)}};
}

constexpr std::size_t most_operators = 40;

constexpr int lesson_columns = 88;

std::string file_name(const std::string& path) { return std::filesystem::path(path).filename().string(); }

constexpr std::string_view what_is_read =
    "`run --json FILE`, `versus --json FILE`, `prices --benchmark_out=FILE`, "
    "`selftest --json FILE` or `simulate --json FILE`; traces go with --trace FILE";

/// Takes a file for what its first members say it is.
void read_result(const std::string& file, const PricePage& prices, results::StandIn stand_in,
                 Report& report) {
  const auto json = read_json(file, most_results_bytes);
  const Field root(json, file);
  if (is_simulation(root)) {
    auto data = simulation_data(root);
    data["file"] = file_name(file);
    report.simulations.push_back(std::move(data));
    return;
  }
  if (root.has("tuneproof")) {
    report.runs.push_back(compare::read_run(json, file, stand_in));
    return;
  }
  results::check_stand_in(results::on_stand_in(json), stand_in, file);
  const auto schema = root.find("schema");
  if (schema && schema->json().is_string() && schema->text().starts_with(run::selftest_schema)) {
    run::self_test_from_json(json, file);  // a sentence where it is malformed
    report.self_tests.push_back({{"file", file_name(file)}, {"test", json}});
  } else if (prices.is_one(json)) {
    auto data = prices.data(root);
    data["file"] = file_name(file);
    report.prices.push_back(std::move(data));
    report.price_files.push_back(file);
  } else if (root.has("benchmarks")) {
    report.runs.push_back(
        compare::read_run(json, file, stand_in));  // a file of Google Benchmark is named there
  } else {
    throw BadInput(fmt::format("{}: report reads no such file, but those of {}", file, what_is_read));
  }
}

Json lesson_data(const catalogue::Step& step, const catalogue::Program& program) {
  const auto [first, last] =
      std::ranges::equal_range(program.sources, step.id, {}, &catalogue::StepSource::step);
  const Style plain{.colour = false, .columns = lesson_columns};
  return {{"claim", step.claim},
          {"source", {{"title", step.source_title}, {"url", step.source_url}, {"where", step.source_where}}},
          {"lesson", explain_text(step, {first, last}, plain)}};
}

/// The lessons of the steps that have rows here. A file of another version may have steps that are gone.
Json steps_data(const Report& report, const catalogue::Program& program) {
  std::set<std::string_view> used;
  for (const auto& run : report.runs)
    for (const auto& row : run.rows) used.insert(row.step);
  auto steps = Json::object();
  for (const auto& step : program.catalogue->steps)
    if (used.contains(step.id)) steps[step.id] = lesson_data(step, program);
  return steps;
}

/// Where machines, software or settings differ the page says so, and there is no verdict.
void compare_with(const std::string& file, results::StandIn stand_in, Report& report) {
  if (report.runs.size() != 1)
    throw BadInput(
        fmt::format("report: --against compares one run with one other, but {} given",
                    report.runs.empty() ? "none was" : fmt::format("{} were", report.runs.size())));
  report.base = compare::read_run_file(file, stand_in);
  report.comparison = compare::compare_runs(*report.base, report.runs.front(), {.allow_mismatch = true});
}

/// What the page shows of a trace, or of a folder with one trace for each rank. Throws BadInput for a file
/// that is no trace, and for a trace of the stand-in where that is not allowed.
Json trace_data(const std::string& path, const catalogue::Program& program, results::StandIn stand_in) {
  const auto has_step = catalogue::has_step(program);
  std::vector<trace::Diagnosis> diagnoses;
  for (const auto& file : trace::trace_files(path)) {
    const auto trace = trace::read_trace(file);
    for (const auto& device : trace.devices)
      results::check_stand_in(results::is_stand_in(device.name), stand_in, file.string());
    diagnoses.push_back(trace::diagnose(trace, {}, has_step));
  }
  trace::require_ranks(diagnoses);
  return diagnosis_data(diagnoses);
}

}  // namespace

Json diagnosis_data(std::span<const trace::Diagnosis> diagnoses) {
  auto json = trace::diagnosis_json(diagnoses);
  for (auto& trace : json["traces"])
    trace["file"] = std::filesystem::path(trace["file"].get<std::string>()).filename().string();
  auto& table = json["op_table"];  // it comes by self time; the page shows the top
  json["operators"] = table.size();
  while (table.size() > most_operators) table.erase(table.size() - 1);
  return json;
}

Report read_report(const ReportFiles& files, const catalogue::Program& program, const PricePage& prices) {
  const auto& build = build_info();
  Report report{.program = fmt::format("{} ({})", build.version, build.commit)};
  for (const auto& file : files.results) read_result(file, prices, files.stand_in, report);
  if (!files.against.empty()) compare_with(files.against, files.stand_in, report);
  for (const auto& trace : files.traces) report.traces.push_back(trace_data(trace, program, files.stand_in));
  for (auto& run : report.runs) compare::name_sides(program.catalogue, run);
  for (const auto& run : report.runs)
    report.machines.push_back(run::machine_lines(run, program, report.price_files));
  if (!files.history.empty()) report.history = history_data(std::filesystem::path(files.history));
  report.steps = steps_data(report, program);
  return report;
}

}  // namespace harness::pages
