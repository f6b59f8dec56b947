#include "harness/teach/workbench.hpp"

#include "harness/results/results.hpp"
#include "harness/support/field.hpp"
#include "harness/support/parent.hpp"
#include "harness/support/quantity.hpp"
#include "harness/support/replace_file.hpp"
#include "harness/teach/course.hpp"
#include "harness/trace/diagnosis.hpp"
#include "harness/trace/intern.hpp"
#include "harness/trace/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <system_error>
#include <utility>

namespace harness::teach {
namespace {

constexpr auto measured_now = "measured now, on this machine";

std::string_view last_line(std::string_view text) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  return text.substr(text.rfind('\n') + 1);
}

/// What `run` says of its progress where nobody looks at a terminal: "[round 2/10] 1 row".
bool is_progress(std::string_view line) { return line.starts_with("[") || line.starts_with("prices/"); }

/// The column by which a unit sorts the operators: their time on the device, where one worked.
std::string sorted_by(const std::string& file) {
  const auto trace = trace::read_trace(file);
  const bool device =
      std::ranges::any_of(trace.events, [](const auto& event) { return trace::on_device(event.kind); });
  return device ? "self_cuda" : "self_cpu";
}

}  // namespace

Workbench::Workbench(const catalogue::Program& program, Console& console, std::filesystem::path folder,
                     std::function<void(std::string_view)> say, results::StandIn stand_in)
    : program_(program),
      console_(console),
      folder_(std::move(folder)),
      say_(std::move(say)),
      stand_in_(stand_in) {}

void Workbench::use_results(const std::string& file) {
  auto results = results::read_results(file, stand_in_);
  results_.push_back({fmt::format("{}; {}", file, machine_of(results)), std::move(results.rows)});
}

void Workbench::use_prices(const std::string& file) { prices_.push_back(read_shown_prices(file, stand_in_)); }

std::filesystem::path Workbench::file_in_folder(std::string_view name) const {
  std::error_code failed;
  std::filesystem::create_directories(folder_, failed);
  if (failed) throw BadInput(folder_.string() + ": cannot be written: " + failed.message());
  return folder_ / name;
}

std::filesystem::path Workbench::carried_file(const CourseUnit& unit) const {
  const auto& name = unit.trace.empty() ? unit.recording : unit.trace;
  const auto carried = unit.trace.empty() ? course_recordings() : course_traces();
  const auto found = std::ranges::find(carried, name, &Embedded::name);
  if (found == carried.end()) throw BadInput("the course carries no file " + name);
  auto file = file_in_folder(found->name);
  ReplaceFile(file).write(found->text);
  return file;
}

std::vector<std::string> Workbench::shown_by(const CourseUnit& unit) const {
  const auto file = carried_file(unit).string();
  if (!unit.trace.empty())
    return {"diagnose", file, "--only", unit.part, "--top", "12", "--sort", sorted_by(file)};
  return {"simulate", "--from", file, "--gpu", unit.gpu, "--lines"};
}

std::string Workbench::command(const CourseUnit& unit) const {
  if (unit.trace.empty() && unit.recording.empty())
    return unit.command().empty() ? std::string() : "tuneproof " + unit.command();
  std::string text = "tuneproof";
  for (const auto& word : shown_by(unit)) text += " " + word;
  return text;
}

std::string Workbench::show(const CourseUnit& unit) {
  return console_.run(again(program_.self, shown_by(unit))).said;
}

Truth Workbench::truth(const CourseUnit& unit) {
  if (!unit.row.empty()) return row_truth(unit);
  if (!unit.price.empty()) return price_truth(unit);
  if (!unit.recording.empty()) return simulated_truth(unit);
  if (unit.trace.empty()) {
    auto truth = order_of(unit);
    truth.from = "the solution";
    return truth;
  }
  auto truth = truth_of(unit, trace::diagnose(trace::read_trace(carried_file(unit))));
  truth.from = fmt::format("{}, which is made up", unit.trace);
  return truth;
}

std::optional<std::string> Workbench::fails(const CourseUnit& unit,
                                            const std::vector<std::string>& arguments) {
  say_(fmt::format("\nMeasuring here: {}\n", command(unit)));
  const auto ended = console_.run(again(program_.self, arguments), [this](std::string_view line) {
    if (is_progress(line)) say_(fmt::format("  {}\n", line));
  });
  if (ended.exit == Exit{}) return std::nullopt;
  auto said = last_line(ended.said);
  constexpr std::string_view name = "tuneproof: ";
  if (said.starts_with(name)) said.remove_prefix(name.size());
  return said.empty() ? fmt::format("tuneproof {} {}", arguments.front(), to_string(ended.exit))
                      : trace::printable(said);
}

Truth Workbench::row_truth(const CourseUnit& unit) {
  for (const auto& given : results_ | std::views::reverse)
    if (const auto row = std::ranges::find(given.rows, unit.row, &results::Row::name);
        row != given.rows.end()) {
      auto truth = truth_of(unit, *row);
      truth.from = given.from;
      return truth;
    }
  const auto file = file_in_folder("measured.json");
  auto why = fails(unit, {"run", unit.row, "--json", file.string()});
  if (why) return {.missing = std::move(*why)};
  const auto results = results::read_results(file, stand_in_);
  const auto row = std::ranges::find(results.rows, unit.row, &results::Row::name);
  if (row == results.rows.end()) return {.missing = "the run has no row " + unit.row};
  auto truth = truth_of(unit, *row);
  truth.from = measured_now;
  return truth;
}

Truth Workbench::simulated_truth(const CourseUnit& unit) const {
  const auto ended = console_.run(again(
      program_.self, {"simulate", "--from", carried_file(unit).string(), "--gpu", unit.gpu, "--json", "-"}));
  if (ended.exit != Exit{}) return {.missing = std::string(last_line(ended.said))};
  const auto json = parse_json(ended.said, "tuneproof simulate");
  const auto row = Field(json, "tuneproof simulate")["simulated"].entries().at(0);
  if (!row["cannot"].text().empty()) return {.missing = row["cannot"].text()};
  const auto ratio = row["simulated_ratio"].positive();
  const auto seconds = [&](std::size_t form) {
    return row["forms"].entries().at(form)["simulated_seconds"].number();
  };
  return {.said = fmt::format("simulated on {}: {} -> {}, {} times as fast", row["simulated_on"].text(),
                              time_text(seconds(0)), time_text(seconds(1)), plain_text(1 / ratio)),
          .from = "a prediction: no GPU took part",
          .number = 1 / ratio};
}

Truth Workbench::price_truth(const CourseUnit& unit) {
  const auto in = [&](const ShownPrices& prices) -> Truth {
    const auto row = std::ranges::find(prices.rows, unit.price, &ShownPrice::name);
    if (row == prices.rows.end()) return {.missing = fmt::format("{} has no {}", prices.from, unit.price)};
    auto truth = truth_of(unit, row->seconds);
    truth.from = prices.from;
    return truth;
  };
  for (const auto& given : prices_ | std::views::reverse)
    if (auto truth = in(given); truth.missing.empty()) return truth;
  const auto file = file_in_folder("prices.json");
  auto why =
      fails(unit, {"prices", "--benchmark_filter=" + unit.price + "/", "--benchmark_out=" + file.string()});
  if (why) return {.missing = std::move(*why)};
  auto truth = in(read_shown_prices(file, stand_in_));
  if (truth.missing.empty()) truth.from = measured_now;
  return truth;
}

}  // namespace harness::teach
