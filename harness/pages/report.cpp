#include "harness/pages/report.hpp"

#include "harness/compare/ci.hpp"
#include "harness/compare/comparison_text.hpp"
#include "harness/compare/export_formats.hpp"
#include "harness/core/setup.hpp"
#include "harness/pages/report_files.hpp"
#include "harness/pages/run_data.hpp"
#include "harness/results/stand_in.hpp"
#include "harness/support/overwriting.hpp"
#include "harness/support/quantity.hpp"
#include "harness/support/replace_file.hpp"
#include "harness/support/spawn.hpp"
#include "harness/support/text.hpp"
#include "harness/support/usage.hpp"
#include "harness/trace/trace.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <system_error>

namespace harness::pages {
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

/// "on CPU: AMD EPYC" or "on GPU: NVIDIA A30 (cuda:0)", so that no row is taken for another device's. The
/// GPU's name is that of the fingerprint; without one a row that was skipped is of the "rows that need a
/// GPU".
std::string where_run(const results::Row& row, const results::Fingerprint& fingerprint) {
  const auto machine = fingerprint.hard.value("machine", Json::object());
  if (!row.device.is_cuda()) return "on CPU: " + machine.value("cpu_model", std::string("unknown"));
  const auto gpu = machine.value("gpu", Json());
  if (gpu.is_null() && row.judged.verdict == Verdict::skipped) return "rows that need a GPU";
  const auto name = gpu.is_object() ? ": " + gpu.value("name", std::string("unknown")) : std::string();
  return fmt::format("on GPU{} ({})", name, to_string(row.device));
}

/// The run's rows by device, each list in the order of the file.
std::map<std::string, results::Results> by_device(const results::Results& run) {
  std::map<std::string, results::Results> parts;
  for (const auto& row : run.rows) {
    const auto [part, is_new] = parts.try_emplace(where_run(row, run.fingerprint));
    if (is_new)
      part->second = {.session = run.session, .fingerprint = run.fingerprint, .rounds = {}, .rows = {}};
    part->second.rows.push_back(row);
  }
  return parts;
}

/// A table for each device, and the whole run in short, with what prices say of its machine.
std::string run_markdown(const results::Results& run, const std::vector<std::string>& machine) {
  std::string out;
  for (auto& [where, part] : by_device(run)) {
    auto report = compare::run_report(part);
    report.title += (where.starts_with("on ") ? " " : ", ") + where;
    report.notes.clear();  // they stand below, of all devices together
    out += compare::markdown_text(report);
  }
  auto whole = compare::run_report(run);
  whole.title += ", in short";
  whole.rows.clear();
  std::ranges::copy(machine, std::back_inserter(whole.notes));
  return out + compare::markdown_text(whole);
}

std::string form_text(const Json& form) {
  return fmt::format("{} [{}, {}]", time_text(form["seconds"].get<double>()),
                     time_text(form["interval"][0].get<double>()),
                     time_text(form["interval"][1].get<double>()));
}

/// A prediction has no verdict.
compare::CiCase simulated_row(const Json& row) {
  compare::CiCase out{.name = row["row"].get<std::string>() + " on " + row["gpu"].get<std::string>(),
                      .verdict = "simulated"};
  if (!row.contains("ratio")) {
    out.message = "cannot simulate: " + row["cannot"].get<std::string>();
    return out;
  }
  const Interval interval{row["ratio_interval"][0].get<double>(), row["ratio_interval"][1].get<double>()};
  out.change = change_text(row["ratio"].get<double>(), interval);
  out.message = form_text(row["naive"]) + " -> " + form_text(row["optimized"]);
  return out;
}

std::string simulation_markdown(const Json& simulation) {
  compare::CiReport report{.title = "Simulated: no GPU took part. " + simulation["file"].get<std::string>()};
  for (const auto& row : simulation["rows"]) report.rows.push_back(simulated_row(row));
  for (const auto* note : {"warning", "recording"})
    if (const auto text = simulation[note].get<std::string>(); !text.empty()) report.notes.push_back(text);
  return compare::markdown_text(report);
}

/// Whose rows these prices say nothing of; empty where they are of the machine and software of all runs.
std::string elsewhere_text(const Json& prices, const std::vector<results::Results>& runs) {
  const auto place = prices["context"].value("fingerprint", std::string());
  std::vector<std::string> files;
  for (const auto& run : runs)
    if (results::place_of_prices(run.fingerprint) != place)
      files.push_back(std::filesystem::path(run.file).filename().string());
  if (files.empty()) return {};
  return fmt::format(
      "These prices are {} of the machine and the software that measured {}: they explain none of its rows.",
      place.empty() ? "not known to be" : "not", join_or(files));
}

std::string prices_markdown(const Json& prices, const std::vector<results::Results>& runs) {
  compare::CiReport report{.title = "What follows from " + prices["file"].get<std::string>()};
  for (const auto& doubt : {elsewhere_text(prices, runs), prices["busy"].get<std::string>()})
    if (!doubt.empty()) report.notes.push_back(doubt);
  for (const auto& line : prices["balance"])
    if (!line["said"].empty())
      report.notes.push_back(fmt::format("{}: {}", line["about"].get<std::string>(),
                                         fmt::join(line["said"].get<std::vector<std::string>>(), "; ")));
  return compare::markdown_text(report);
}

}  // namespace

std::string script_json(const Json& data) {
  const auto plain = one_line(data);
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
  for (std::size_t i = 0; i < report.machines.size(); ++i) data["runs"][i]["machine"] = report.machines[i];
  data["stand_in"] = shows_stand_in(report) ? Json(results::stand_in_warning) : Json();
  data["steps"] = report.steps;
  data["prices"] = report.prices;
  for (auto& prices : data["prices"]) prices["elsewhere"] = elsewhere_text(prices, report.runs);
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

namespace {

constexpr auto footer =
    "A RESULT is a file from `run`, `versus` or `selftest --json`, or from `prices --benchmark_out`.\n"
    "The page holds its data, charts and lessons and loads nothing from a network. Each row says where it\n"
    "ran.\n"
    "A file from `simulate --json` gets a section of its own: predictions, never measurements.\n"
    "--against only advises, as `compare` of two files does: two sessions differ in more than the program.\n"
    "\n"
    "Exit code 0: written. 1: wrong use, or a file that cannot be read or written; an existing page then\n"
    "stays as it was.\n"
    "\n"
    "Examples:\n"
    "  tuneproof report results.json -o report.html --open\n"
    "  tuneproof report results.json prices.json --trace trace.json.gz -o report.html\n"
    "  tuneproof report new.json --against old.json -o changes.html\n"
    "  tuneproof report results.json --markdown >> \"$GITHUB_STEP_SUMMARY\"";

struct ReportArguments {
  ReportFiles files;
  std::string out;
  bool open = false;
  bool markdown = false;
};

void check_ending(const ReportArguments& arguments) {
  const auto ending = std::filesystem::path(arguments.out).extension();
  std::error_code ignored;  // a folder is refused where the file is opened
  if (!arguments.markdown && !ending.empty() && ending != ".html" && ending != ".htm" &&
      !std::filesystem::is_directory(arguments.out, ignored))
    throw BadInput(fmt::format("report: -o {}: a page ends with .html and tables with .md", arguments.out));
}

void check(const ReportArguments& arguments) {
  if (arguments.out.empty() && !arguments.markdown)
    throw BadInput("report: give -o FILE.html for a page, or --markdown for tables");
  if (arguments.open && (arguments.markdown || arguments.out == "-"))
    throw BadInput("report: --open needs a page; add -o FILE.html");
  if (arguments.markdown && !arguments.files.traces.empty())
    throw BadInput("report: --markdown prints results only; run `tuneproof diagnose` for a trace");
  if (arguments.markdown && !arguments.files.history.empty())
    throw BadInput("report: --markdown prints results only; run `tuneproof history check` for a history");
  if (arguments.files.results.empty() && arguments.files.history.empty())
    throw BadInput("report: give a RESULT, or --history FILE");
}

/// Its tables in Markdown; each says which device its rows ran on.
std::string report_markdown(const Report& report) {
  std::string out;
  for (std::size_t i = 0; i < report.runs.size(); ++i)
    out += run_markdown(report.runs[i], report.machines[i]);
  if (report.comparison) {
    out += compare::markdown_text(compare::comparison_report(*report.comparison, {}));
  }
  for (const auto& prices : report.prices) out += prices_markdown(prices, report.runs);
  for (const auto& simulation : report.simulations) out += simulation_markdown(simulation);
  return out;
}

/// Throws BadInput where a file would be left out without a word.
std::string markdown_of(const Report& report) {
  if (!report.self_tests.empty())
    throw BadInput(
        fmt::format("report: --markdown has no tables of a self-test; for {}, write a page with -o FILE.html",
                    report.self_tests.front()["file"].get<std::string>()));
  auto text = report_markdown(report);
  if (text.empty()) throw BadInput("report: nothing was measured that --markdown could print");
  return text;
}

/// A page is no Markdown, whatever the name says.
bool is_markdown_name(const std::string& file) {
  const auto ending = std::filesystem::path(file).extension();
  return ending == ".md" || ending == ".markdown";
}

/// Starts `xdg-open` on its own and does not wait for what that shows. Throws BadInput where there is none:
/// the file itself is then written all the same, and the sentence says so.
void open_file(const std::filesystem::path& file) {
  try {
    // In a session of its own, without our terminal: closing that must not close a browser.
    spawn({"xdg-open", {std::filesystem::absolute(file).string()}},
          {.descriptors = {{STDIN_FILENO}, {STDOUT_FILENO}, {STDERR_FILENO}},
           .group = SpawnOptions::Group::its_own_session,
           .on_path = true});
  } catch (const std::system_error& error) {
    throw BadInput(fmt::format("{} is written, but xdg-open cannot be started: {}", file.string(),
                               error.code().message()));
  }
}

int write_report(ReportArguments arguments, const catalogue::Program& program, const PricePage& prices) {
  arguments.markdown = arguments.markdown || is_markdown_name(arguments.out);
  check(arguments);
  std::vector<std::string> traces;  // those of a folder, too
  for (const auto& place : arguments.files.traces)
    for (const auto& trace : trace::trace_files(place)) traces.push_back(trace.string());
  refuse_overwriting("report: -o " + arguments.out, arguments.out, traces);
  check_ending(arguments);
  std::optional<ReplaceFile> file;  // opened first: a wrong place fails before the work
  if (!arguments.out.empty() && arguments.out != "-") file.emplace(arguments.out);
  const auto report = read_report(arguments.files, program, prices);
  const auto text = arguments.markdown ? markdown_of(report) : page_html(report_data(report));
  if (!file) {
    fmt::print("{}", text);
    return 0;
  }
  file->write(text);
  if (arguments.open) open_file(file->path());
  fmt::print("{}: written, {}\n", printable(arguments.out), size_text(static_cast<double>(text.size())));
  return 0;
}

}  // namespace

void add_report(CLI::App& app, const catalogue::Program& program, PricePage prices,
                catalogue::Action& chosen) {
  const auto arguments = std::make_shared<ReportArguments>();
  auto& files = arguments->files;
  auto* command =
      app.add_subcommand("report", "Write results, prices and traces as one HTML page, or as Markdown");
  command->add_option(
      "RESULT", files.results,
      "Files from `run --json`, `versus --json`, `prices`, `selftest --json` or `simulate --json`");
  add_value(*command, "--trace", files.traces, "TRACE",
            "Diagnose this trace, or folder of ranks, on the page");
  add_value(*command, "--against", files.against, "OTHER", "Show what changed since this earlier run");
  add_value(*command, "--history", files.history, "FILE", "Draw each row over the commits of this history");
  add_value(*command, "-o,--out", arguments->out, "FILE",
            "Write the page to FILE, or the tables where it ends with .md; - writes to standard output");
  command->add_flag("--open", arguments->open, "Open the page in the desktop's browser");
  command->add_flag("--markdown", arguments->markdown, "Print tables for a README or a pull request instead");
  results::declare_stand_in(*command, files.stand_in);
  command->footer(footer);
  command->callback([arguments, &program, prices = std::move(prices), &chosen] {
    chosen = [arguments, &program, prices] { return write_report(*arguments, program, prices); };
  });
}

}  // namespace harness::pages
