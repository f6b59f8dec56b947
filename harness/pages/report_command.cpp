#include "harness/pages/report_command.hpp"

#include "harness/core/setup.hpp"
#include "harness/pages/report.hpp"
#include "harness/pages/report_files.hpp"
#include "harness/results/stand_in.hpp"
#include "harness/support/overwriting.hpp"
#include "harness/support/quantity.hpp"
#include "harness/support/replace_file.hpp"
#include "harness/support/shown.hpp"
#include "harness/support/spawn.hpp"
#include "harness/trace/trace.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <system_error>

namespace harness::pages {
namespace {

constexpr auto footer =
    "A RESULT is a file from `run`, `versus` or `selftest --json`, or from `prices --benchmark_out`.\n"
    "The page holds its data, charts and lessons and loads nothing from a network. Each row says where it\n"
    "ran.\n"
    "A file from `simulate --json` gets a section of its own: predictions, never measurements.\n"
    "--against only advises, as `compare` of two files does, since it includes all that differs between\n"
    "two sessions.\n"
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

/// Throws BadInput where a file would be left out without a word.
std::string markdown_of(const Report& report) {
  for (const auto& [files, what] : {std::pair{&report.prices, "prices"}, {&report.self_tests, "a self-test"}})
    if (!files->empty())
      throw BadInput(fmt::format(
          "report: --markdown prints results only, and {} holds {}; write a page with -o FILE.html",
          files->front()["file"].get<std::string>(), what));
  auto text = report_markdown(report);
  if (text.empty()) throw BadInput("report: nothing was measured that --markdown could print");
  return text;
}

/// A page is no Markdown, whatever the name says.
bool is_markdown_name(const std::string& file) {
  const auto ending = std::filesystem::path(file).extension();
  return ending == ".md" || ending == ".markdown";
}

int write_report(ReportArguments arguments, const catalogue::Program& program, const PricePage& prices) {
  arguments.markdown = arguments.markdown || is_markdown_name(arguments.out);
  check(arguments);
  std::vector<std::string> traces;  // those of a folder, too
  for (const auto& place : arguments.files.traces)
    for (const auto& trace : trace::trace_files(place)) traces.push_back(trace.string());
  refuse_overwriting("report: -o " + arguments.out, arguments.out, traces);
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

void add_report(CLI::App& app, const catalogue::Program& program, PricePage prices,
                catalogue::Action& chosen) {
  const auto arguments = std::make_shared<ReportArguments>();
  auto& files = arguments->files;
  auto* command =
      app.add_subcommand("report", "Write results, prices and traces as one HTML page, or as Markdown");
  command->add_option(
      "RESULT", files.results,
      "Files from `run --json`, `versus --json`, `prices`, `selftest --json` or `simulate --json`");
  command->add_option("--trace", files.traces, "Diagnose this trace, or folder of ranks, on the page")
      ->type_name("TRACE");
  command->add_option("--against", files.against, "Show what changed since this earlier run")
      ->type_name("OTHER");
  command->add_option("--history", files.history, "Draw each row over the commits of this history")
      ->type_name("FILE");
  command
      ->add_option(
          "-o,--out", arguments->out,
          "Write the page to FILE, or the tables where it ends with .md; - writes to standard output")
      ->type_name("FILE");
  command->add_flag("--open", arguments->open, "Open the page in the desktop's browser");
  command->add_flag("--markdown", arguments->markdown, "Print tables for a README or a pull request instead");
  results::declare_stand_in(*command, files.stand_in);
  command->footer(footer);
  command->callback([arguments, &program, prices = std::move(prices), &chosen] {
    chosen = [arguments, &program, prices] { return write_report(*arguments, program, prices); };
  });
}

}  // namespace harness::pages
